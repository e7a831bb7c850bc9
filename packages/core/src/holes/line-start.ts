import type { Hole } from '../hole.ts'

/** Matches only at the start of a line; reads and prints nothing. */
export const lineStart: Hole = {
  optional: true,
  starts: () => [],
  *read({ input }) {
    return input.atLineStart
  },
  print: () => '',
}
