/**
 * Splits a text into pieces as it would arrive: each piece is a separate flat string, like text
 * from the network. A slice of a longer string, or a string made with `+`, would be read more
 * slowly.
 *
 * @param {string} text
 * @param {number} size in characters; Infinity for the whole text
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
