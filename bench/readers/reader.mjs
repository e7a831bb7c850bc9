/**
 * Something that reads a reply, or the arguments in one. What it returns is the arguments it found.
 * It takes a whole text or a list of chunks.
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
