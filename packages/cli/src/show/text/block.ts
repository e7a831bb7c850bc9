import { displayWidth } from './width.ts'

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
