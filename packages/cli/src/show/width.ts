/** How many columns of a terminal a text takes, near enough to put a caret under a place in it. */
export function width(text: string): number {
  let columns = 0
  for (const { segment } of graphemes.segment(text)) {
    columns += wide.test(segment) ? 2 : invisible.test(segment) ? 0 : 1
  }
  return columns
}

/** The beginning of a text, cut to some columns. */
export function cut(text: string, columns: number): string {
  // A character takes at least one unit of text and nearly always a column: look no further than that.
  if (text.length <= columns * 2 && width(text) <= columns) return text

  let kept = ''
  let used = 0
  for (const { segment } of graphemes.segment(text.slice(0, columns * 8))) {
    used += width(segment)
    if (used >= columns) break
    kept += segment
  }
  return `${kept}…`
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

const wide =
  /\p{Emoji_Presentation}|\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|[\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]/u
const invisible = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]+$/u
