/** What is needed whole, to be changed or shown as a picture, may have this many bytes. */
export const MAX_BYTES: number = 10 * 1024 * 1024

/** How many lines are shown if not told. */
export const LINES = 2000

/** How many bytes of text are shown at once, whatever was asked for. */
export const SHOWN_BYTES: number = 50 * 1024

/** Where a long line is cut. */
export const LINE_CHARACTERS = 2000
