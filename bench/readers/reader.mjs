/**
 * Reads a reply, or the arguments in one, as a whole text or as a list of chunks. Returns the
 * arguments.
 *
 * @typedef {object} Reader
 * @property {string} name
 * @property {'reply' | 'arguments'} reads JSON readers only read arguments
 * @property {boolean} [finds] false: a baseline that only iterates over the text
 * @property {(text: string) => unknown} [whole]
 * @property {(chunks: Iterable<string>) => unknown} [stream]
 * @property {boolean} [budget] its time is limited, because it may be too slow
 */

export {}
