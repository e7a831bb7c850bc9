/**
 * Invisible or deceptive characters: controls, direction marks, zero-width and unusual spaces,
 * fillers, tags, private and unassigned ones. Includes every character that the permissions call
 * invisible or deceptive. Excludes line breaks and tabs.
 */
export const UNSEEN: RegExp =
  /(?![\n\t ])[\p{Cc}\p{Cf}\p{Z}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** The same including line breaks and tabs, for single-line text such as file names. */
export const UNSEEN_IN_LINE: RegExp = new RegExp(`[\\n\\t]|${UNSEEN.source}`, 'gu')

/** A run of one invisible character. */
export interface Unseen {
  /** Such as `U+200B`. */
  readonly name: string
  readonly from: number
  /** The end of the run. */
  readonly to: number
  readonly count: number
}

/** The invisible characters of a text, in order. A run of the same character is one item. */
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

/** A text with every invisible character spelled out, for places that cannot show boxes. */
export function spellUnseen(text: string): string {
  let spelled = ''
  let last = 0
  for (const { name, from, to, count } of unseenIn(text)) {
    spelled += `${text.slice(last, from)}⟦${name}${count > 1 ? ` ×${count}` : ''}⟧`
    last = to
  }
  return spelled + text.slice(last)
}
