import type { Hole } from '../hole.ts'
import { OPEN } from '../json/characters.ts'
import type { Input, Reader } from '../read/input.ts'
import { REFUSED, UNSURE } from '../read/glance.ts'
import { isKey, labelEnd, readLabel } from '../read/label.ts'
import { Marks } from '../read/marks.ts'
import { eatAny, lookAhead, space } from '../read/readers.ts'
import { gap } from './gap.ts'

/** Where a picture is damaged: these marks, in any order and number, are skipped, and `repair` is recorded. */
export function damage(repair: string, marks: readonly string[]): Hole {
  const skipped = new Marks(marks)
  return {
    ...gap,
    *read({ input, draft }) {
      if (!draft.mayRepair) return draft.fail('syntax', 'a picture without damage')
      const from = input.place
      do yield* space(input)
      while (yield* eatAny(input, skipped))
      return draft.repair(repair, from, '')
    },
    glance: (look, at) => (look.mayRepair ? UNSURE : look.refuse('a picture without damage', at)),
  }
}

/** The same for words before a list of objects. */
export function strayWords(repair: string): Hole {
  return {
    ...gap,
    *read({ input, stops, draft }) {
      const { place } = input
      const words = draft.mayRepair ? yield* readLabel(input, stops, isKey) : undefined
      if (!words || !(yield* lookAhead(input, isObject(input, stops))))
        return draft.fail('syntax', 'a JSON list', place)
      return draft.repair(repair, place, '')
    },
    glance(look, at) {
      const { input, stops } = look
      const end = look.mayRepair ? labelEnd(input, stops, isKey, at) : REFUSED
      const none = end === REFUSED || (end >= 0 && input.between(at, end).trim() === '')
      return none ? look.refuse('a JSON list', at) : Math.min(end, UNSURE)
    },
  }
}

/** Prose that mentions a mark may contain brackets, too. */
function* isObject(input: Input, stops: Marks): Reader<boolean> {
  yield* eatAny(input, stops)
  yield* space(input)
  return input.code() === OPEN
}
