import type { RunSummary } from '@toolglot/agent/journal'
import { visibleLine } from '@toolglot/workspace/internal'
import type { Colors } from '../terminal.ts'
import { table, truncate } from './text/table.ts'

/** Options for showing a list of runs. */
interface RunsOptions {
  readonly colors: Colors
  readonly columns: number
  readonly now: number
  /** The current folder. Other folders are shown by name. */
  readonly cwd: string
}

/** A table of runs, the latest first. */
export function showRuns(
  runs: readonly RunSummary[],
  { colors, columns, now, cwd }: RunsOptions,
): string {
  if (runs.length === 0) return 'There are no runs yet.\n'
  const { bold, dim, yellow, green } = colors
  const rows = runs.map((summary) => {
    const { run, last, state, reason, model = '' } = summary
    return [
      run,
      age(now - last) ?? 'now',
      state === 'finished' ? (reason ?? state) : state,
      truncate(visibleLine(model), 20),
      titleOf(summary, cwd),
    ]
  })
  const list = table(
    rows,
    (cell, row, column) => {
      if (column === 0) return bold(cell)
      if (column === 2) return cell === 'answer' ? green(cell) : yellow(cell)
      if (column < 4) return dim(cell)
      return runs[row]!.name === undefined ? cell : bold(cell)
    },
    columns,
  )
  const isWaiting = runs.some(({ state }) => state === 'waiting')
  return isWaiting ? `${list}${dim('To see the pending requests: toolglot runs waiting')}\n` : list
}

/** The name or the first prompt, followed by details: another folder, or the source of a fork. */
function titleOf({ name, prompt = '', folder, forkOf }: RunSummary, cwd: string): string {
  const notes = [
    ...(forkOf ? [`fork of ${visibleLine(forkOf.run)}`] : []),
    ...(folder === undefined || folder === cwd ? [] : [`in ${visibleLine(folder)}`]),
  ]
  const title = truncate(visibleLine(name ?? prompt), 60)
  return notes.length === 0 ? title : `${title} (${notes.join(', ')})`
}

/** A duration in the largest suitable unit: `3 min`; undefined if it is less than a minute. */
export function age(milliseconds: number): string | undefined {
  const unit = UNITS.find(([size]) => milliseconds >= size)
  return unit && `${Math.floor(milliseconds / unit[0])} ${unit[1]}`
}

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
] as const
