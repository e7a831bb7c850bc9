/** @typedef {import('./reader.mjs').Reader} Reader */

/** @type {Reader} */
export const jsonParse = {
  name: 'JSON.parse of the arguments',
  reads: 'arguments',
  whole: (text) => JSON.parse(text),
  // Parses only at the end: the minimum cost of collecting the chunks.
  stream: (chunks) => JSON.parse([...chunks].join('')),
}

/** @type {Reader} */
export const charCodes = {
  name: 'charCodeAt loop',
  reads: 'reply',
  finds: false,
  whole: (text) => countOpenings(text),
  stream(chunks) {
    let count = 0
    for (const chunk of chunks) count += countOpenings(chunk)
    return count
  },
}

/** @type {Reader} */
export const indexOf = {
  name: 'indexOf scan',
  reads: 'reply',
  finds: false,
  whole: (text) => countMarks(text),
  stream(chunks) {
    let count = 0
    for (const chunk of chunks) if (chunk.indexOf('<') >= 0) count++
    return count
  },
}

/** @param {string} text */
function countOpenings(text) {
  let count = 0
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) === 60) count++
  return count
}

/** @param {string} text */
function countMarks(text) {
  let count = 0
  for (let at = text.indexOf(MARK); at >= 0; at = text.indexOf(MARK, at + MARK.length)) count++
  return count
}

const MARK = '<tool_call>'
