import { displayWidth } from './width.ts'
import { wrap } from './wrap.ts'

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
