import { BoundedMap } from '@toolglot/agent/adapter/internal'
import {
  addStatistics,
  type Journal,
  JournalError,
  type RunStatistics,
  runStatistics,
  type RunSummary,
} from '@toolglot/agent/journal'
import { setImmediate } from 'node:timers/promises'

/** Which runs are counted, and since when. */
export interface CountRunsOptions {
  /** Only runs in exactly this folder. */
  readonly folder?: string | undefined
  /** Only what happened at or after this time, in milliseconds since 1970. */
  readonly since?: number | undefined
  readonly signal: AbortSignal
}

/** Figures about runs, and the runs that are missing in them. */
export interface CountedRuns {
  readonly statistics: RunStatistics
  /** The ids of runs whose records are damaged. */
  readonly unreadable: readonly string[]
}

/**
 * Counts what happened in the runs of a journal. Between two runs, others get their turn. The figures of a run are kept until
 * it goes on. Imported runs are not counted: they ran elsewhere.
 */
export async function countRuns(
  journal: Pick<Journal, 'runs' | 'read'>,
  { folder, since = -Infinity, signal }: CountRunsOptions,
): Promise<CountedRuns> {
  const runs = await journal.runs({
    limit: Number.MAX_SAFE_INTEGER,
    ...(folder !== undefined && { folder }),
  })
  const unreadable: string[] = []
  let sum = addStatistics([])
  let next: RunStatistics[] = []
  for (const summary of runs) {
    if (summary.imported || summary.last < since) continue
    await setImmediate()
    signal.throwIfAborted()
    try {
      next.push(await figuresOf(summary, journal, since))
    } catch (error) {
      if (!(error instanceof JournalError) || error.problem !== 'corrupt') throw error
      unreadable.push(summary.run)
    }
    if (next.length < BATCH) continue
    sum = addStatistics([sum, ...next])
    next = []
  }
  return { statistics: addStatistics([sum, ...next]), unreadable }
}

/** How many figures are added at once. */
const BATCH = 50

async function figuresOf(
  { run, started, last, turns, state }: RunSummary,
  journal: Pick<Journal, 'runs' | 'read'>,
  since: number,
): Promise<RunStatistics> {
  // What began later is counted as a whole.
  const from = started < since ? since : -Infinity
  const key = JSON.stringify([run, last, turns, String(from)])
  const kept = keptFiguresOf(journal)
  const known = kept.get(key)
  if (known) return known
  const figures = runStatistics(await journal.read(run), { since: from })
  // A run that goes on may do something else in the same millisecond.
  if (state !== 'running') kept.set(key, figures, JSON.stringify(figures).length)
  return figures
}

function keptFiguresOf(journal: object): BoundedMap<RunStatistics> {
  let kept = figuresByJournal.get(journal)
  if (!kept) figuresByJournal.set(journal, (kept = new BoundedMap(MAX_KEPT)))
  return kept
}

const figuresByJournal = new WeakMap<object, BoundedMap<RunStatistics>>()
/** In characters: several thousand runs. */
const MAX_KEPT = 16 << 20
