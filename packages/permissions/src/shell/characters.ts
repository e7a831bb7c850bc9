/**
 * Characters that people and shells read differently: control, bidirectional and invisible characters, spaces that do not
 * separate words for a shell, lone surrogates. The emoji variation selector (U+FE0F) is not one of them.
 */
const DECEPTIVE =
  /(?! |\n|\t|\ufe0f)[\p{Cc}\p{Cf}\p{Z}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Why the characters of a text may mislead people; undefined if they don't. */
export function deceptiveCharacters(text: string): string | undefined {
  const found = DECEPTIVE.exec(text)
  if (found) {
    const code = found[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
    return `contains the character U+${code}, which people may not see`
  }
  return joinsLines(text) ? 'a backslash joins two lines inside a word' : undefined
}

/** `\⏎` after whitespace only separates words. Elsewhere, or where it may be in a comment or here-document, it can mislead. */
function joinsLines(text: string): boolean {
  let at = text.indexOf('\\\n')
  if (at < 0) return false
  if (text.includes('#') || text.includes('<<')) return true
  for (; at >= 0; at = text.indexOf('\\\n', at + 1)) {
    if (text[at - 1] !== ' ' && text[at - 1] !== '\t') return true
  }
  return false
}
