/**
 * Characters that people and shells read differently: controls, bidirectional and invisible ones, spaces that are none to a
 * shell, halves of a character. The one that makes a picture of a sign (U+FE0F) is not among them.
 */
const DECEPTIVE = /(?! |\n|\t|\ufe0f)[\p{Cc}\p{Cf}\p{Z}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Why the characters of a text make it one that must be shown to a person; undefined: they do not. */
export function deceptiveCharacters(text: string): string | undefined {
  const odd = DECEPTIVE.exec(text)
  if (odd) {
    const code = odd[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
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
