import type { Hole } from '../hole.ts'
import { Members, closeFence, openFence } from '../json/arguments.ts'
import { readJson } from '../json/read.ts'
import { JsonScanner } from '../json/scanner.ts'
import { some, space } from '../read/readers.ts'

/** A JSON object with one member: the key is the tool's name, the value its arguments. */
export const keyed: Hole = {
  starts: () => ['{'],
  *read({ input, builder }) {
    if (!(yield* openFence(input, builder))) return false
    const json = new JsonScanner()
    if (!(yield* readJson(input, json, builder))) return false
    if (json.why === 'done') return builder.fail('no-name', "a tool's name")
    if (!builder.setName(json.key)) return false
    yield* space(input)
    if (!(yield* some(input)) || input.code() !== 123) {
      return builder.fail('shape', 'the arguments as an object')
    }
    json.watch = 2
    const members = new Members(json, builder)
    builder.begin()
    while ((yield* readJson(input, json, builder)) && json.depth === 2) {
      members.next()
      members.start()
    }
    if (json.state !== 'done') {
      members.cut()
      return json.depth === 1 && builder.fail('ambiguous', 'one tool')
    }
    members.next()
    builder.finishArguments()
    builder.closed = true
    yield* closeFence(input, builder)
    return true
  },
  print: ({ call, write }) => write.json({ [call.name]: call.args }),
}
