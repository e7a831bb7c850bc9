/**
 * Reads a reply, or the arguments in one, from a whole text or from chunks. Returns the arguments it
 * found.
 *
 * @typedef {object} Reader
 * @property {string} name
 * @property {'reply' | 'arguments'} reads JSON readers read only arguments
 * @property {boolean} [finds] false: a baseline that only scans the text
 * @property {(text: string) => unknown} [whole]
 * @property {(chunks: Iterable<string>) => unknown} [stream]
 * @property {boolean} [budget] its time is limited, because it may be too slow
 */

export {}
