import { displayWidth } from '../../show/text/table.ts'
import type { Draft } from './draft.ts'

/** A draft as rows on a screen, with the cursor's row and column. */
export interface Layout {
  readonly rows: readonly string[]
  readonly row: number
  readonly column: number
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * Breaks a draft into rows that follow a prompt of `indent` columns. A wide character that does not
 * fit goes in the next row. Returns at most `height` rows, those around the cursor.
 */
export function layOut(
  { text, at }: Draft,
  { indent, columns, height }: { indent: number; columns: number; height: number },
): Layout {
  const room = Math.max(2, columns - indent - 1)
  const rows: string[] = ['']
  let used = 0
  let cursor = { row: 0, column: indent }
  for (const { segment, index } of graphemes.segment(text)) {
    const size = segment === '\n' ? 0 : displayWidth(segment)
    if (used + size > room) {
      rows.push('')
      used = 0
    }
    if (index <= at) cursor = { row: rows.length - 1, column: indent + used }
    if (segment === '\n') {
      rows.push('')
      used = 0
    } else {
      rows[rows.length - 1] += segment
      used += size
    }
  }
  if (at >= text.length) cursor = { row: rows.length - 1, column: indent + used }
  const first = Math.max(0, Math.min(cursor.row - height + 1, rows.length - height))
  return { rows: rows.slice(first, first + height), row: cursor.row - first, column: cursor.column }
}
