import type { Hole } from '../hole.ts'
import { isKey, readLabel } from '../read/label.ts'
import { Marks } from '../read/marks.ts'
import { eatAny, some, space, until } from '../read/readers.ts'

/** All arguments as attributes of a tag, up to its end: `city="Paris" days="2" />`. */
export const attributes: Hole = {
  starts: () => [' ', '\n', '\t'],
  *read({ input, builder }) {
    const found = new Map<string, string>()
    for (;;) {
      yield* space(input)
      if (yield* eatAny(input, TAG_ENDS)) break
      const key = yield* readLabel(input, EQUALS, isKey)
      input.cursor++
      yield* some(input)
      const end = QUOTES['"\''.indexOf(input.take(1))]
      let value = ''
      if (!key || !end || found.has(key) || !(yield* until(input, end, (text) => (value += text))))
        return builder.fail('syntax', 'name="value"')
      input.cursor++
      found.set(key, value)
    }
    builder.writeAll(Object.fromEntries(found))
    builder.closed = true
    return true
  },
  print: () => '',
}

const TAG_ENDS = new Marks(['>', '/>'])
const EQUALS = new Marks(['='])
const QUOTES = ['"', "'"].map((quote) => new Marks([quote]))
