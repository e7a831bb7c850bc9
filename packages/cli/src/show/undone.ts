import type { UndoneFile } from '@toolglot/tools/internal'
import { visibleLine } from '@toolglot/workspace/internal'

/** What became of a file that was taken back. */
export function showUndone({ path, status, why }: UndoneFile): string {
  return `${status.padEnd(9)}  ${visibleLine(path)}${why === undefined ? '' : `  ${why}`}\n`
}
