import { width } from './width.ts'

/** Rows whose columns line up. `paint` gets the padded cell. */
export function table(
  rows: readonly (readonly string[])[],
  paint: (cell: string, row: number, column: number) => string = (cell) => cell,
): string {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, column) => Math.max(widest[column] ?? 0, width(cell))),
    [],
  )
  return rows
    .map((row, index) => {
      const cells = row.map((cell, column) => {
        const isLast = column === row.length - 1
        const space = ' '.repeat(isLast ? 0 : (widths[column] ?? 0) - width(cell) + 2)
        return paint(cell, index, column) + space
      })
      return `${cells.join('').trimEnd()}\n`
    })
    .join('')
}
