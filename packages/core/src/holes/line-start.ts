import type { Hole } from '../hole.ts'

/** Nothing, at the start of a line. */
export const lineStart: Hole = {
  optional: true,
  starts: () => [],
  *read({ input }) {
    return input.atLineStart
  },
  print: () => '',
}
