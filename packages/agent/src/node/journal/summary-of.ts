import type { RunState, RunSummary } from '../../journal/summary.ts'
import type { Row } from './thread.ts'

/** A row of `runs`, with whether it waits. */
export function summaryOf(row: Row): RunSummary {
  const text = (name: string): string | undefined => (row[name] as string | null) ?? undefined
  return {
    run: String(row['run']),
    name: text('name'),
    prompt: text('prompt'),
    model: text('model'),
    started: Number(row['started']),
    last: Number(row['last']),
    turns: Number(row['turns']),
    state: stateOf(row),
    reason: text('reason'),
    imported: row['imported'] === 1,
  }
}

function stateOf({ damage, reason, waits, holder }: Row): RunState {
  if (damage !== null) return 'corrupt'
  if (reason !== null) return 'finished'
  if (waits === 1) return 'waiting'
  return holder === null ? 'interrupted' : 'running'
}
