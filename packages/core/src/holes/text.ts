import type { Hole } from '../hole.ts'

/** Free text, up to the text that follows the hole. Allowed only in `reasoning`. */
export const text: Hole = {
  *read() {
    // The message reads reasoning itself, since a call may be inside.
    return false
  },
  print: ({ output }) => output?.text() ?? '',
}
