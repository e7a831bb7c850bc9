import type { Hole } from '../hole.ts'
import { Marks } from '../read/marks.ts'
import { eatAny, space } from '../read/readers.ts'

/** Where a model is known to slip: these marks are skipped here, in any order and number, and that is a repair. */
export function slip(...marks: readonly string[]): Hole {
  const skipped = new Marks(marks)
  return {
    optional: true,
    starts: () => [],
    *read({ input, draft }) {
      if (!draft.mayRepair) return draft.fail('syntax', 'no other mark')
      do yield* space(input)
      while (yield* eatAny(input, skipped))
      return draft.repair('stray-mark')
    },
    print: () => '',
  }
}
