import { readEscape } from '../python/string.ts'
import { type Input, type Reader, Pieces } from '../read/input.ts'
import { Marks } from '../read/marks.ts'
import { lookAhead, space, until } from '../read/readers.ts'
import type { Repair, Stop } from './repair.ts'

/** `{'a': 'it is'}`: the closing quote is the first one before a comma, a colon or a closing bracket. */
export const singleQuotes: Repair = {
  name: 'single-quotes',
  cost: 2,
  *fits({ input, json }) {
    return input.code() === 39 && (json.wantsKey || json.wantsValue)
  },
  *apply(stop) {
    const { input, json } = stop
    const key = json.wantsKey
    input.cursor++
    const content = yield* quoted(stop)
    if (content === undefined) return false
    if (key) json.nameKey(content)
    else json.value(JSON.stringify(content))
    return undefined
  },
}

function* quoted({ input, guard }: Stop): Reader<string | undefined> {
  const content = new Pieces()
  const marks = INTERESTING.join(guard)
  for (;;) {
    yield* until(input, marks, (text) => content.add(text))
    if (input.match(INTERESTING) !== 'all') return undefined
    const quote = input.code() === 39
    if (quote && (yield* lookAhead(input, closes(input)))) {
      input.cursor++
      return content.toString()
    }
    const meaning = quote ? input.take(1) : yield* readEscape(input)
    if (meaning === undefined) return undefined
    content.add(meaning)
  }
}

/** Whether what follows the quote here can follow a string. */
function* closes(input: Input): Reader<boolean> {
  input.cursor++
  yield* space(input)
  return FOLLOWS.has(input.code())
}

const INTERESTING = new Marks(["'", '\\'])
/** , : } ] */
const FOLLOWS = new Set([44, 58, 125, 93])
