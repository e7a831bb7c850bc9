/** A stranger's text as a model or a person may be shown it: not too long, and without characters that hide or turn others. */
export function cleanText(text: string, maxLength: number): string {
  // What is cut off anyway need not be looked at.
  const clean = text.slice(0, 4 * maxLength).replace(HIDDEN, '')
  return clean.length < maxLength && text.length <= 4 * maxLength
    ? clean
    : `${truncate(clean, maxLength - 1)}…`
}

/** Whether there is nothing in a text that hides. */
export function isClean(text: string): boolean {
  return text.replace(HIDDEN, '') === text
}

/** Control characters, formats and tags, private and unpaired ones, selectors of variants, ends of paragraphs. */
const HIDDEN = /[^\P{C}\n\t]|[\p{Zl}\p{Zp}\u{fe00}-\u{fe0f}\u{e0100}-\u{e01ef}]/gu

/** The beginning, with no character cut in two. */
function truncate(text: string, length: number): string {
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)
}

/** A text with its full stop. */
export function withFullStop(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`
}
