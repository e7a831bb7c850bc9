import type { Hole } from '../hole.ts'
import { pythonic, repr } from '../python/print.ts'
import type { LiteralRepairs } from '../python/string.ts'
import { readPython, separated } from '../python/value.ts'
import { readLabel } from '../read/label.ts'
import { Marks } from '../read/marks.ts'
import { space } from '../read/readers.ts'
import { TypedValue } from '../read/typed-value.ts'

/** Python keyword arguments, including the closing parenthesis: `a=1, b="x")`. */
export const keywords: Hole = keywordsAs(pythonic)

/** The same, printed with Python's `repr`: `a=1, b='x')`. */
export const reprKeywords: Hole = keywordsAs(repr)

function keywordsAs(written: (value: unknown) => string): Hole {
  return {
    *read({ input, draft }) {
      draft.begin()
      const repairs: LiteralRepairs = { draft }
      const read = yield* separated(input, ')', false, argument, () => {})
      if (!read)
        return draft.fail(
          input.length === 0 ? 'cut' : 'syntax',
          'arguments as name=value, then ")"',
        )
      draft.finishArguments()
      draft.closed = true
      return true

      function* argument() {
        yield* space(input)
        const key = yield* readLabel(input, EQUALS)
        if (key === undefined || !/^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(key)) return false
        input.cursor++
        draft.member(key)
        const value = new TypedValue(draft, key)
        if (!(yield* readPython(input, (json) => value.write(json), repairs))) return false
        value.end()
        return true
      }
    },
    print: ({ call }) => {
      const entries = Object.entries(call.args).map(([key, value]) => `${key}=${written(value)}`)
      return `${entries.join(', ')})`
    },
  }
}

const EQUALS = new Marks(['=', ')', ',', '('])
