import { width } from './width.ts'

/** Lines with a label before the first, so that the labels make a column of their own. */
export function block(
  label: string,
  paint: (label: string) => string,
  lines: readonly string[],
): string {
  const first = paint(label) + ' '.repeat(Math.max(1, column - width(label)))
  return lines
    .map((line, index) => `${index === 0 ? first : indent}${line}`.trimEnd() + '\n')
    .join('')
}

/** Where the text beside the labels begins. */
export const column = 11

const indent = ' '.repeat(column)
