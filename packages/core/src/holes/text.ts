import type { Hole } from '../hole.ts'

/** Free text, up to the text that follows it; only in `reasoning`. */
export const text: Hole = {
  *read() {
    // The message reads reasoning itself, since it may contain a call after all.
    return false
  },
  print: ({ output }) => output?.text() ?? '',
}
