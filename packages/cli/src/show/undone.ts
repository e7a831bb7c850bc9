import type { UndoneFile } from '@toolglot/tools/internal'
import { visibleLine } from '@toolglot/workspace/internal'

/** What undo did to a file. */
export function showUndone({ path, status, why }: UndoneFile): string {
  return `${status.padEnd(9)}  ${visibleLine(path)}${why === undefined ? '' : `  ${why}`}\n`
}
