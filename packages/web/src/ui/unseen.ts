/**
 * Characters that nobody sees, or that look like something else: controls, direction marks, zero-width and odd spaces, fillers,
 * tags, private and unassigned ones. Everything that the permissions call invisible or deceptive is among them. Line breaks and
 * tabs are text.
 */
export const UNSEEN: RegExp =
  /(?![\n\t ])[\p{Cc}\p{Cf}\p{Z}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** The same where line breaks and tabs are not text, either, as in the name of a file. */
export const UNSEEN_IN_LINE: RegExp = new RegExp(`[\\n\\t]|${UNSEEN.source}`, 'gu')

/** A character that nobody would see, repeated any number of times. */
export interface Unseen {
  /** Such as `U+200B`. */
  readonly name: string
  readonly from: number
  /** After the last of them. */
  readonly to: number
  readonly count: number
}

/** The characters of a text that nobody would see, in order. One that is repeated comes once. */
export function* unseenIn(text: string, unseen = UNSEEN): Generator<Unseen, void> {
  let last: Unseen | undefined
  for (const { 0: character, index } of text.matchAll(unseen)) {
    const name = `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
    const to = index + character.length
    if (last?.name === name && last.to === index) {
      last = { ...last, to, count: last.count + 1 }
      continue
    }
    if (last) yield last
    last = { name, from: index, to, count: 1 }
  }
  if (last) yield last
}

/** A text with every character that nobody would see spelled out, for where there can be no boxes. */
export function spellUnseen(text: string): string {
  let spelled = ''
  let last = 0
  for (const { name, from, to, count } of unseenIn(text)) {
    spelled += `${text.slice(last, from)}⟦${name}${count > 1 ? ` ×${count}` : ''}⟧`
    last = to
  }
  return spelled + text.slice(last)
}
