import type { RunSummary } from '@toolglot/agent/journal'
import { visibleLine } from '@toolglot/workspace/internal'
import type { Colors } from '../terminal.ts'
import { table } from './text/table.ts'
import { truncate } from './text/width.ts'

/** A table of runs, the latest first. */
export function showRuns(
  runs: readonly RunSummary[],
  { colors, now }: { readonly colors: Colors; readonly now: number },
): string {
  if (runs.length === 0) return 'There are no runs yet.\n'
  const { bold, dim, yellow, green } = colors
  const rows = runs.map(({ run, name, prompt = '', last, state, reason, model = '' }) => [
    run,
    age(now - last),
    state === 'finished' ? (reason ?? state) : state,
    truncate(visibleLine(model), 20),
    truncate(visibleLine(name ?? prompt), 60),
  ])
  return table(rows, (cell, row, column) => {
    if (column === 0) return bold(cell)
    if (column === 2) return cell === 'answer' ? green(cell) : yellow(cell)
    return column === 4 && runs[row]!.name === undefined
      ? cell
      : column === 4
        ? bold(cell)
        : dim(cell)
  })
}

function age(milliseconds: number): string {
  const units = [
    [86_400_000, 'd'],
    [3_600_000, 'h'],
    [60_000, 'min'],
  ] as const
  for (const [size, unit] of units)
    if (milliseconds >= size) return `${Math.floor(milliseconds / size)} ${unit}`
  return 'now'
}
