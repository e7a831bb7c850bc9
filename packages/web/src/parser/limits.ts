/**
 * The longest text to parse, in characters (UTF-16 code units): 4 MB. Model output is far shorter.
 */
export const MAX_TEXT: number = 4 << 20
/**
 * The largest file to open, in bytes: `MAX_TEXT` characters, most of which take one to four bytes
 * in JSON.
 */
export const MAX_FILE: number = 16 << 20
/** The longest compressed text in an address. */
export const MAX_LINK: number = 32 << 10
/** The maximum size of a decompressed text from an address, in bytes. */
export const MAX_INFLATED: number = 10 << 20
/** The longest drawn protocol, in characters, as in core. */
export const MAX_DRAWN: number = 256 << 10
/** Longer texts are compared and explained only on request. */
export const MAX_COMPARED: number = 64 << 10
/** The maximum number of steps in a replay. */
export const MAX_STEPS: number = 100_000
