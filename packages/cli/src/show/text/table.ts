import { stripVTControlCharacters } from 'node:util'

/** Rows with aligned columns. If the last column does not fit, it is wrapped. */
export function table(
  rows: readonly (readonly string[])[],
  paint: (cell: string, row: number, column: number) => string = (cell) => cell,
  edge: number = Infinity,
): string {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, column) => Math.max(widest[column] ?? 0, displayWidth(cell))),
    [],
  )
  return rows
    .map((row, index) => {
      const indent = row.slice(0, -1).reduce((sum, _, column) => sum + widths[column]! + 2, 0)
      const cells = row.map((cell, column) => {
        if (column < row.length - 1)
          return paint(cell, index, column) + ' '.repeat(widths[column]! - displayWidth(cell) + 2)
        const lines = edge - indent < NARROW ? [cell] : wrap(cell, edge - indent)
        return lines.map((line) => paint(line, index, column)).join(`\n${' '.repeat(indent)}`)
      })
      return `${cells.join('').trimEnd()}\n`
    })
    .join('')
}

/** The narrowest column worth wrapping. */
const NARROW = 20

// `string-width` is not used: it gives some graphemes 3 columns or more (a note with its stem and
// flag), and the prompt's layout relies on every grapheme fitting into 2.

/** The number of terminal columns that a string occupies, nearly always exact. */
export function displayWidth(text: string): number {
  let columns = 0
  for (const { segment } of graphemes.segment(text)) {
    columns += wide.test(segment) ? 2 : invisible.test(segment) ? 0 : 1
  }
  return columns
}

/** The start of a string, with an ellipsis if it exceeds this many columns. */
export function truncate(text: string, columns: number): string {
  // Few characters take less than a column per UTF-16 unit, so a much longer text need not be
  // measured.
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

/** Breaks a line between words so that it fits. Color codes have no width. */
export function wrap(line: string, columns: number): string[] {
  if (line.length * 2 <= columns) return [line]

  const lines: string[] = []
  let current = ''
  let used = 0
  for (const word of line.match(/\s*\S+|\s+$/g) ?? []) {
    const size = displayWidth(stripVTControlCharacters(word))
    if (used > 0 && used + size > columns) {
      lines.push(current)
      current = word.trimStart()
      used = displayWidth(stripVTControlCharacters(current))
    } else {
      current += word
      used += size
    }
  }
  return [...lines, current]
}

/** Lines with a label in a column before the first. */
export function block(
  label: string,
  paint: (label: string) => string,
  lines: readonly string[],
): string {
  const first = paint(label) + ' '.repeat(Math.max(1, column - displayWidth(label)))
  return lines
    .map((line, index) => `${index === 0 ? first : indent}${line}`.trimEnd() + '\n')
    .join('')
}

/** The column in which the text after the labels starts. */
export const column = 11

const indent = ' '.repeat(column)
