/**
 * Makes text safe for a terminal: characters that would move the cursor, change colors or the
 * writing direction, or stay invisible are escaped, as in `\x1b`. Newlines and tabs are kept, as
 * well as the joiners (U+200C, U+200D) and variation selectors (U+FE0E, U+FE0F) needed by scripts
 * and emoji.
 */
export function visible(text: string, paint: (escaped: string) => string = same): string {
  return text.replace(unseen, (character) =>
    kept.has(character) ? character : paint(spell(character)),
  )
}

/** Like `visible`, but for a single line: also escapes line breaks and tabs. */
export function visibleLine(text: string, paint: (escaped: string) => string = same): string {
  return text.replace(unseen, (character) =>
    joiners.has(character) ? character : paint(spell(character)),
  )
}

/** Quotes text in a message, on one line of at most 80 characters. */
export function quote(text: string): string {
  const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text
  return `'${visibleLine(shown)}'`
}

const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu
const joiners = new Set(['\u200c', '\u200d', '\ufe0e', '\ufe0f'])
const kept = new Set(['\n', '\t', ...joiners])
const short = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
])

function spell(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const digits = code.toString(16)
  if (code > 0xffff) return `\\u{${digits}}`
  return (
    short.get(character) ??
    (code > 0xff ? `\\u${digits.padStart(4, '0')}` : `\\x${digits.padStart(2, '0')}`)
  )
}

function same(text: string): string {
  return text
}
