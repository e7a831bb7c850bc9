/**
 * Something that reads a reply, or the arguments in one. What it returns is the arguments it found.
 * A whole text or a list of chunks is handed to it.
 *
 * @typedef {object} Reader
 * @property {string} name
 * @property {'reply' | 'arguments'} reads JSON readers know nothing of replies
 * @property {boolean} [finds] false: a baseline that only goes over the text
 * @property {(text: string) => unknown} [whole]
 * @property {(chunks: Iterable<string>) => unknown} [stream]
 * @property {boolean} [budget] it may take too long: its time is limited
 */

export {}
