/**
 * A text as it arrives: in pieces, each a string of its own and no window into the whole.
 *
 * @param {string} text
 * @param {number} size in characters
 * @returns {string[]}
 */
export function cut(text, size) {
  const encoding = /[^\0-\xff]/.test(text) ? 'utf16le' : 'latin1'
  const chunks = []
  for (let at = 0; at < text.length; at += size) {
    chunks.push(Buffer.from(text.slice(at, at + size), encoding).toString(encoding))
  }
  return chunks
}
