import type { Input, Reader } from '../read/input.ts'
import { LONGEST_LABEL } from '../read/label.ts'
import { Marks } from '../read/marks.ts'
import { Pieces } from '../read/pieces.ts'
import { isSpace, some, until } from '../read/readers.ts'
import type { Repair, Stop } from './repair.ts'

/** `{'a': 'it is'}`: the quote that closes is the first with a comma, a colon or a closer after it. */
export const singleQuotes: Repair = {
  name: 'single-quotes',
  cost: 2,
  *fits({ input, json }) {
    return input.code() === 39 && EXPECTED.has(json.state)
  },
  *mend(stop) {
    const { input, json } = stop
    const key = json.state === 'key' || json.state === 'first-key'
    input.cursor++
    const content = yield* quoted(stop)
    if (content === undefined) return
    if (key) json.nameKey(content)
    else json.value(JSON.stringify(content))
  },
}

const EXPECTED = new Set(['value', 'item', 'first-item', 'key', 'first-key'])

function* quoted({ input }: Stop): Reader<string | undefined> {
  const content = new Pieces()
  for (;;) {
    if (!(yield* until(input, INTERESTING, (text) => content.add(text)))) return undefined
    const quote = input.code() === 39
    if (quote && (yield* closes(input))) {
      input.cursor++
      return content.toString()
    }
    if (!quote && !(yield* some(input, 2))) return undefined
    content.add(quote ? input.take(1) : unescape(input.take(2)))
  }
}

/** Whether what follows the quote here can follow a string. */
function* closes(input: Input): Reader<boolean> {
  let next = 1
  const step = (): boolean => {
    while (next < LONGEST_LABEL && isSpace(input.code(next))) next++
    return next < input.length || next === LONGEST_LABEL || input.ended
  }
  if (!step()) yield step
  return FOLLOWS.has(input.code(next))
}

const INTERESTING = new Marks(["'", '\\'])
/** , : } ] */
const FOLLOWS = new Set([44, 58, 125, 93])

function unescape(sequence: string): string {
  const plain: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }
  return plain[sequence[1]!] ?? sequence.slice(1)
}
