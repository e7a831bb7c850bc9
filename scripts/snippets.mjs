/**
 * A block of TypeScript in a document.
 *
 * @typedef {object} Snippet
 * @property {string} path
 * @property {number} line of its fence
 * @property {string} code
 * @property {string} setup code that readers need not see: `<!-- setup: … -->` before the block
 * @property {string | undefined} excluded why it is not compiled: `<!-- not compiled: … -->` before the block
 */

/**
 * The blocks of TypeScript in a document.
 *
 * @param {string} path
 * @param {string} document
 * @returns {Snippet[]}
 */
export function snippetsIn(path, document) {
  return [...document.matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => {
    const before = document.slice(0, match.index)
    const [, kind, comment = ''] =
      before.match(/<!-- (setup|not compiled):((?:(?!-->).)*)-->\n*$/s) ?? []
    return {
      path,
      line: before.split('\n').length,
      code: match[1] ?? '',
      setup: kind === 'setup' ? comment.trim() : '',
      excluded: kind === 'not compiled' ? comment.trim() : undefined,
    }
  })
}
