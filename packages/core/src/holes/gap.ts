import type { Hole } from '../hole.ts'

/** Whitespace that is allowed here but not printed. */
export const gap: Hole = {
  optional: true,
  starts: () => [],
  *read() {
    // Whitespace between marks is free, and this hole separates two marks.
    return true
  },
  lookahead: (_, at) => at,
  print: () => '',
}
