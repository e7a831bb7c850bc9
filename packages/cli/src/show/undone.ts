import { visibleLine } from '@toolglot/workspace/internal'
import type { UndoneFile } from '@toolglot/tools/internal'

/** The effect of undo on a file. */
export function showUndone({ path, status, why }: UndoneFile): string {
  return `${status.padEnd(9)}  ${visibleLine(path)}${why === undefined ? '' : `  ${why}`}\n`
}
