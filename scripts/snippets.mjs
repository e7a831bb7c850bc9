/**
 * A block of code in a document.
 *
 * @typedef {object} Snippet
 * @property {string} path
 * @property {number} line of its fence
 * @property {string} language such as `ts`
 * @property {string} code
 * @property {string} setup code hidden from readers: `<!-- setup: … -->` before the block
 * @property {string | undefined} excluded the reason why it is not compiled: `<!-- not compiled: …
 * -->` before the block
 * @property {string | undefined} notRun the reason why it is only compiled: `<!-- not run: … -->`
 * before the block
 */

/**
 * The blocks of code in a document, in these languages.
 *
 * @param {string} path
 * @param {string} document
 * @param {readonly string[]} [languages]
 * @returns {Snippet[]}
 */
export function snippetsIn(path, document, languages = ['ts']) {
  return [...document.matchAll(/^(`{3,})(\w*)\n(.*?)^\1$/gms)].flatMap((match) => {
    const [, , language = '', code = ''] = match
    if (!languages.includes(language)) return []
    const before = document.slice(0, match.index)
    const [comments = ''] = before.match(/(?:<!--(?:(?!-->).)*-->\s*)+$/s) ?? []
    return {
      path,
      line: before.split('\n').length,
      language,
      code,
      setup: comment('setup', comments) ?? '',
      excluded: comment('not compiled', comments),
      notRun: comment('not run', comments),
    }
  })
}

/**
 * @param {string} kind
 * @param {string} comments
 */
function comment(kind, comments) {
  return comments.match(new RegExp(`<!-- ${kind}:((?:(?!-->).)*)-->`, 's'))?.[1]?.trim()
}
