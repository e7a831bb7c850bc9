import type { Hole } from '../hole.ts'
import type { Draft } from '../read/draft.ts'
import type { Input, Reader } from '../read/input.ts'
import { isKey, readLabel } from '../read/label.ts'
import { Marks } from '../read/marks.ts'
import { eatAny, some, space, until } from '../read/readers.ts'

/** All arguments as attributes of a tag, up to its end: `city="Paris" days="2" />`. */
export const attributes: Hole = {
  starts: () => [' ', '\n', '\t'],
  *read({ input, draft }) {
    const found = new Map<string, string>()
    for (;;) {
      yield* space(input)
      if (yield* eatAny(input, TAG_ENDS)) break
      if (!(yield* readAttribute(input, found))) return failed(input, draft)
    }
    draft.writeAll(Object.fromEntries(found))
    draft.closed = true
    return true
  },
  print: () => '',
}

const TAG_ENDS = new Marks(['>', '/>'])

function failed(input: Input, draft: Draft): boolean {
  return draft.fail(input.over ? 'cut' : 'syntax', 'arguments as name="value", then ">"')
}

/** False: there is none, or one of that name came before. */
function* readAttribute(input: Input, found: Map<string, string>): Reader<boolean> {
  const key = yield* readLabel(input, EQUALS, isKey)
  if (!key || found.has(key)) return false
  input.cursor++
  yield* some(input)
  const end = QUOTES.get(input.take(1))
  if (!end) return false
  let value = ''
  if (!(yield* until(input, end, (text) => (value += text)))) return false
  input.cursor++
  found.set(key, value)
  return true
}

const EQUALS = new Marks(['='])
const QUOTES = new Map(['"', "'"].map((quote) => [quote, new Marks([quote])]))
