import type { Hole } from '../hole.ts'
import { Marks } from '../read/marks.ts'
import { eatAny, space } from '../read/readers.ts'

/** Where a picture is damaged: these marks are skipped here, in any order and number, and `repair` is recorded. */
export function damage(repair: string, ...marks: readonly string[]): Hole {
  const skipped = new Marks(marks)
  return {
    optional: true,
    starts: () => [],
    *read({ input, draft }) {
      if (!draft.mayRepair) return draft.fail('syntax', 'a picture without damage')
      do yield* space(input)
      while (yield* eatAny(input, skipped))
      return draft.repair(repair)
    },
    print: () => '',
  }
}
