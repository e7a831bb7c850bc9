import { type Journal, JournalError, type RunsOptions } from '../journal.ts'
import { runStatistics } from './run-statistics.ts'
import { type RunStatistics, StatisticsTally } from './statistics.ts'

/** Which runs are counted (default: all), and since when. */
export interface JournalStatisticsOptions extends RunsOptions {
  /** Only what happened at or after this time, in milliseconds since 1970. */
  readonly since?: number
  /** Called with each run that is not counted because its records are damaged. */
  readonly onUnreadable?: (run: string, error: JournalError) => void
  readonly signal?: AbortSignal
}

/** Counts what happened in the runs of a journal, one run after the other. Imported runs are not counted: they ran elsewhere. */
export async function journalStatistics(
  journal: Pick<Journal, 'runs' | 'read'>,
  { since = -Infinity, onUnreadable, signal, ...options }: JournalStatisticsOptions = {},
): Promise<RunStatistics> {
  const runs = await journal.runs({ limit: Number.MAX_SAFE_INTEGER, ...options })
  const sum = new StatisticsTally()
  for (const { run } of runs.filter(({ imported, last }) => !imported && last >= since)) {
    signal?.throwIfAborted()
    try {
      sum.add(runStatistics(await journal.read(run), { since }))
    } catch (error) {
      if (!(error instanceof JournalError) || error.problem !== 'corrupt') throw error
      onUnreadable?.(run, error)
    }
  }
  return sum.result()
}
