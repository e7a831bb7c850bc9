import type { Hole } from '../hole.ts'

/** Whitespace that may stand here and is not printed. */
export const gap: Hole = {
  optional: true,
  starts: () => [],
  *read() {
    // Whitespace between marks is free: to be between two marks is all that is needed.
    return true
  },
  print: () => '',
}
