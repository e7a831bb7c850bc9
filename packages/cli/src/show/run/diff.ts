import type { Colors } from '../../terminal.ts'
import { visibleLine } from '@toolglot/workspace/internal'
import { cut } from '../width.ts'

/** A unified diff in colours, without its head; what is beyond `most` lines is counted. */
export function showDiff(
  diff: string,
  { colors, columns, most = 40 }: { colors: Colors; columns: number; most?: number },
): string[] {
  const { green, red, dim } = colors
  const lines = diff.split('\n').filter((line, at) => at > 1 || !/^(---|\+\+\+) /.test(line))
  const shown = lines.slice(0, most).map((line) => {
    const text = cut(visibleLine(line.replaceAll('\t', '  ')), columns)
    if (line.startsWith('+')) return green(text)
    return line.startsWith('-') ? red(text) : dim(text)
  })
  const left = lines.length - most
  return left > 0 ? [...shown, dim(`… ${left} more lines`)] : shown
}
