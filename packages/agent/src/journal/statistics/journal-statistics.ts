import { yieldToOthers } from '../../time/yield-to-others.ts'
import { type Journal, JournalError, type RunsOptions } from '../journal.ts'
import type { RunSummary } from '../run-summary.ts'
import { runStatistics, type StatisticsFilter } from './run-statistics.ts'
import { type RunStatistics, StatisticsTally } from './statistics.ts'

/** Filters for the runs to count. Default: all runs. */
export interface JournalStatisticsOptions extends RunsOptions {
  /** Only count events at or after this time, in milliseconds since 1970. */
  readonly since?: number | undefined
  /** The models, protocols and tools to count, by name. Default: all. */
  readonly only?: StatisticsFilter | undefined
  /** Called with each run that is skipped because its records are damaged. */
  readonly onUnreadable?: ((run: string, error: JournalError) => void) | undefined
  readonly signal?: AbortSignal | undefined
  /** A cache of the statistics of individual runs. */
  readonly cache?:
    | {
        get(key: string): RunStatistics | undefined
        set(key: string, statistics: RunStatistics): void
      }
    | undefined
}

/**
 * Counts the events in the runs of a journal, one run after another, yielding in between so that
 * other work can proceed. Imported runs are not counted, because they ran elsewhere.
 */
export async function journalStatistics(
  journal: Pick<Journal, 'runs' | 'read'>,
  {
    limit = Number.MAX_SAFE_INTEGER,
    since = -Infinity,
    only = {},
    onUnreadable,
    signal,
    cache,
    ...options
  }: JournalStatisticsOptions = {},
): Promise<RunStatistics> {
  const runs = await journal.runs({ ...options, limit })
  const sum = new StatisticsTally()
  for (const summary of runs.filter(({ imported, last }) => !imported && last >= since)) {
    await yieldToOthers()
    signal?.throwIfAborted()
    try {
      sum.add(await statisticsOf(summary, journal, { since, only, cache }))
    } catch (error) {
      if (!(error instanceof JournalError) || error.problem !== 'corrupt') throw error
      onUnreadable?.(summary.run, error)
    }
  }
  return sum.result()
}

async function statisticsOf(
  { run, started, last, turns, state }: RunSummary,
  journal: Pick<Journal, 'read'>,
  {
    since,
    only,
    cache,
  }: {
    readonly since: number
    readonly only: StatisticsFilter
    readonly cache: JournalStatisticsOptions['cache'] | undefined
  },
): Promise<RunStatistics> {
  // A run that started later is counted completely.
  const from = started < since ? since : -Infinity
  const { tool, model, protocol } = only
  const key = JSON.stringify([run, last, turns, String(from), tool, model, protocol])
  const known = cache?.get(key)
  if (known) return known
  const statistics = runStatistics(await journal.read(run), { since: from, only })
  // A running run may record more events in the same millisecond, so it is not cached.
  if (state !== 'running') cache?.set(key, statistics)
  return statistics
}
