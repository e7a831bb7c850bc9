import type { Hole } from '../hole.ts'
import { Marks } from '../read/marks.ts'
import { isName, readLabel } from '../read/label.ts'
import { eat, space } from '../read/readers.ts'
import { gap } from './gap.ts'

/** Shows that a picture is damaged: it is read only with repairs, and `repair` is recorded. */
export function slip(repair: string): Hole {
  return {
    ...gap,
    *read({ draft }) {
      return draft.mayRepair && draft.repair(repair)
    },
  }
}

/** The name of a known tool after one of these openers, none of which is the right one, and before `next`. */
export function misopened(openers: readonly string[], next: string): Hole {
  const ends = new Marks([next])
  return {
    marked: true,
    starts: (names) =>
      (names ?? []).flatMap((name) =>
        openers.flatMap((opener) => ['\n', ''].map((line) => opener + name + line + next)),
      ),
    *read({ input, draft }) {
      if (!draft.mayRepair) return false
      for (const opener of openers) if (yield* eat(input, opener)) break
      const name = yield* readLabel(input, ends, isName)
      if (name === undefined || !draft.tools?.has(name)) {
        return draft.fail('no-name', 'the name of a known tool')
      }
      yield* space(input)
      return draft.repair('damaged-opener') && draft.setName(name)
    },
    print: ({ call }) => call.name,
  }
}
