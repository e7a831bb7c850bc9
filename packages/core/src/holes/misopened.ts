import type { Hole } from '../hole.ts'
import { Marks } from '../read/marks.ts'
import { isName, readLabel } from '../read/label.ts'
import { eat } from '../read/readers.ts'

/** The name of a known tool before `next`, at the start of a line or after `opener`, which is not the right one. */
export function misopened(opener: string, next: string): Hole {
  const ends = new Marks([next])
  return {
    marked: true,
    starts: (names = []) =>
      names.flatMap((name) =>
        [opener, ''].flatMap((before) => [before + name + next, `${before}${name}\n${next}`]),
      ),
    *read({ input, draft }) {
      const begins = input.atLineStart
      if (!draft.mayRepair || !((yield* eat(input, opener)) || begins)) return false
      const name = yield* readLabel(input, ends, isName)
      return draft.repair('damaged-opener') && name !== undefined && draft.setName(name)
    },
    print: ({ call }) => call.name,
  }
}
