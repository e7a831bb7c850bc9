/** The longest text that is read, in characters (UTF-16 code units): 4 MB. A model writes far less. */
export const MAX_TEXT: number = 4 << 20
/** The largest file that is opened, in bytes: a text of `MAX_TEXT` characters, most of which need one to four bytes in JSON. */
export const MAX_FILE: number = 16 << 20
/** The longest compressed text in an address. */
export const MAX_LINK: number = 32 << 10
/** How large a compressed text in an address may become, in bytes. */
export const MAX_INFLATED: number = 10 << 20
/** The longest drawn protocol, in characters, as in core. */
export const MAX_DRAWN: number = 256 << 10
/** Longer texts are compared, and explained, only if somebody asks for it. */
export const MAX_COMPARED: number = 64 << 10
/** How many steps a replay has at most. */
export const MAX_STEPS: number = 100_000
