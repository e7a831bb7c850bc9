/**
 * Characters that people and shells read differently: controls, bidirectional marks, zero-width ones, spaces that are none to
 * a shell, halves of a character.
 */
const ODD =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /[\0-\x08\x0b-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff9-\ufffc]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

/** Why the characters of a text make it one that must be shown to a person; undefined: they do not. */
export function oddCharacters(text: string): string | undefined {
  const odd = ODD.exec(text)
  if (odd) {
    const code = odd[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
    return `it contains the character U+${code}, which is not what it looks like`
  }
  return joinsLines(text) ? 'a backslash joins two lines inside a word' : undefined
}

/** `\⏎` behind a blank only parts words; elsewhere, or where a comment or here-document may hold it, it is a trick. */
function joinsLines(text: string): boolean {
  let at = text.indexOf('\\\n')
  if (at < 0) return false
  if (text.includes('#') || text.includes('<<')) return true
  for (; at >= 0; at = text.indexOf('\\\n', at + 1)) {
    if (text[at - 1] !== ' ' && text[at - 1] !== '\t') return true
  }
  return false
}
