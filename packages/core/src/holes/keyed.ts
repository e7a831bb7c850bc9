import type { Hole } from '../hole.ts'
import { Members } from '../json/arguments.ts'
import { closeFence, openFence } from '../json/fence.ts'
import { readJson } from '../json/read.ts'
import { JsonScanner } from '../json/scanner.ts'
import { some, space } from '../read/readers.ts'

/** A JSON object with one member: the key is the tool's name, the value its arguments. */
export const keyed: Hole = {
  starts: () => ['{'],
  *read({ input, draft }) {
    if (!(yield* openFence(input, draft))) return false
    const json = new JsonScanner()
    if (!(yield* readJson(input, json, draft))) return false
    if (json.why === 'done') return draft.fail('no-name', "a tool's name")
    if (!draft.setName(json.key)) return false
    yield* space(input)
    if (!(yield* some(input)) || input.code() !== 123) {
      return draft.fail('shape', 'the arguments as an object')
    }
    json.watch = 2
    const members = new Members(json, draft)
    draft.begin()
    while ((yield* readJson(input, json, draft)) && json.depth === 2) {
      members.next()
      members.start()
    }
    if (json.state !== 'done') {
      members.cut()
      return json.depth === 1 && draft.fail('ambiguous', 'one tool')
    }
    members.next()
    draft.finishArguments()
    draft.closed = true
    yield* closeFence(input, draft)
    return true
  },
  print: ({ call, write }) => write.json({ [call.name]: call.args }),
}
