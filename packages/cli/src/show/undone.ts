import type { Undone } from '@toolglot/tools/internal'
import { visibleLine } from './visible.ts'

/** What undo did to a file. */
export function showUndone({ path, status, why }: Undone): string {
  return `${status.padEnd(9)}  ${visibleLine(path)}${why === undefined ? '' : `  ${why}`}\n`
}
