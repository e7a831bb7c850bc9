import type { Hole } from '../hole.ts'

/** Optional whitespace that is not printed. */
export const gap: Hole = {
  optional: true,
  starts: () => [],
  *read() {
    // Whitespace between marks is skipped anyway. This hole only separates two marks.
    return true
  },
  lookahead: (_, at) => at,
  print: () => '',
}
