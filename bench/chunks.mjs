/**
 * A text as it arrives over the network: in chunks, each a separate flat string. A slice of a
 * longer string, or a string made with `+`, would be read more slowly.
 *
 * @param {string} text
 * @param {number} size in characters; Infinity: the text whole
 * @returns {string[]}
 */
export function cut(text, size) {
  if (size === Infinity) return [text.split('').join('')]
  const encoding = /[^\0-\xff]/.test(text) ? 'utf16le' : 'latin1'
  const chunks = []
  for (let at = 0; at < text.length; at += size) {
    chunks.push(Buffer.from(text.slice(at, at + size), encoding).toString(encoding))
  }
  return chunks
}
