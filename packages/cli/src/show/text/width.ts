// Not `string-width`: it gives some graphemes 3 columns or more (a note with its stem and flag), and the prompt's layout
// relies on every grapheme fitting into 2.

/** How many terminal columns a text takes, nearly always exactly. */
export function displayWidth(text: string): number {
  let columns = 0
  for (const { segment } of graphemes.segment(text)) {
    columns += wide.test(segment) ? 2 : invisible.test(segment) ? 0 : 1
  }
  return columns
}

/** The start of a text, with an ellipsis if it does not fit into this many columns. */
export function truncate(text: string, columns: number): string {
  // Few characters take less than a column per UTF-16 unit: no need to measure a much longer text.
  if (text.length <= columns * 2 && displayWidth(text) <= columns) return text

  let kept = ''
  let used = 0
  for (const { segment } of graphemes.segment(text.slice(0, columns * 8))) {
    used += displayWidth(segment)
    if (used >= columns) break
    kept += segment
  }
  return `${kept}…`
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

const wide =
  /\p{Emoji_Presentation}|\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|[\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]/u
const invisible = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]+$/u
