import { visibleLine } from '@toolglot/workspace/internal'
import type { Colors } from '../../terminal.ts'
import { truncate } from '../text/table.ts'

/** A unified diff in color, without its header. Lines after the first `maxLines` are only counted. */
export function showDiff(
  diff: string,
  { colors, columns, maxLines = 40 }: { colors: Colors; columns: number; maxLines?: number },
): string[] {
  const { green, red, dim } = colors
  const lines = diff.split('\n').filter((line, at) => at > 1 || !/^(---|\+\+\+) /.test(line))
  const shown = lines.slice(0, maxLines).map((line) => {
    const text = truncate(visibleLine(line.replaceAll('\t', '  ')), columns)
    if (line.startsWith('+')) return green(text)
    return line.startsWith('-') ? red(text) : dim(text)
  })
  const left = lines.length - maxLines
  return left > 0 ? [...shown, dim(`… ${left} more lines`)] : shown
}
