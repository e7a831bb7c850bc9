import type { Hole } from '../hole.ts'
import { readLabel, isKey, labelEnd } from '../read/label.ts'
import { OPEN } from '../json/text.ts'
import type { Input, Reader } from '../read/input.ts'
import { REFUSED, UNSURE } from '../read/lookahead.ts'
import { Marks } from '../read/marks.ts'
import { eatAny, lookAhead, space } from '../read/readers.ts'
import { gap } from './gap.ts'

/**
 * Text on one line without meaning, up to the text that follows the hole. `starts` are the marks it
 * may begin with; `print` is the text to print there, or `name` for the tool's name. With `repair`,
 * the text is an error: either words before a list of objects or these `marks`. It is skipped only
 * if repairs are enabled, and the repair is recorded.
 */
export function aside({
  starts = [],
  print = '',
  repair,
  marks,
}: {
  starts?: readonly string[]
  print?: string
  repair?: string
  marks?: readonly string[]
} = {}): Hole {
  if (repair !== undefined) return marks ? damage(repair, marks) : strayWords(repair)
  /** The text may contain no line break and no other mark. */
  const fits = (text: string): boolean => {
    const own = starts.find((start) => text.startsWith(start) || start.startsWith(text)) ?? ''
    return !/[\n<]/.test(text.slice(own.length))
  }
  return {
    optional: true,
    starts: () => starts,
    *read({ input, stops, builder }) {
      const label = yield* readLabel(input, stops, fits)
      return label !== undefined || builder.fail('syntax', 'a header')
    },
    print: ({ call }) => (print === 'name' ? call.name : print),
  }
}

/**
 * Damage in a picture: these marks are skipped in any order and number, and `repair` is recorded.
 */
function damage(repair: string, marks: readonly string[]): Hole {
  const skipped = new Marks(marks)
  return {
    ...gap,
    *read({ input, builder }) {
      if (!builder.mayRepair) return builder.fail('syntax', 'a picture without damage')
      const from = input.place
      do yield* space(input)
      while (yield* eatAny(input, skipped))
      return builder.repair(repair, from, '')
    },
    lookahead: (look, at) =>
      look.mayRepair ? UNSURE : look.refuse('a picture without damage', at),
  }
}

/** Skips stray words before a list of objects. */
function strayWords(repair: string): Hole {
  return {
    ...gap,
    *read({ input, stops, builder }) {
      const { place } = input
      const words = builder.mayRepair ? yield* readLabel(input, stops, isKey) : undefined
      if (!words || !(yield* lookAhead(input, isObject(input, stops))))
        return builder.fail('syntax', 'a JSON list', place)
      return builder.repair(repair, place, '')
    },
    lookahead(look, at) {
      const { input, stops } = look
      const end = look.mayRepair ? labelEnd(input, stops, isKey, at) : REFUSED
      const none = end === REFUSED || (end >= 0 && input.between(at, end).trim() === '')
      return none ? look.refuse('a JSON list', at) : Math.min(end, UNSURE)
    },
  }
}

/** Prose that mentions a mark may contain brackets. */
function* isObject(input: Input, stops: Marks): Reader<boolean> {
  yield* eatAny(input, stops)
  yield* space(input)
  return input.code() === OPEN
}
