/** Largest file that is read whole, to change it or to show it as an image. */
export const MAX_WHOLE_BYTES: number = 10 * 1024 * 1024

/** Number of lines that Read shows by default. */
export const DEFAULT_LINES = 2000

/** Maximum bytes of text in one Read result, whatever limit was requested. */
export const MAX_SHOWN_BYTES: number = 50 * 1024

/** Longer lines are cut. */
export const MAX_LINE_CHARACTERS = 2000
