import { type EncodedRecord, parseKey } from '@toolglot/agent/journal/internal'
import type { Database } from './database.ts'
import { IS_ALIVE, IS_HELD } from './lease.ts'
import { IS_WAITING } from './queries.ts'

/** The number of unfinished runs in each state. */
export interface JournalStatus {
  /** Runs that a living process is executing. */
  readonly running: number
  /** Runs for workers that no process is executing yet. */
  readonly due: number
  /**
   * Runs for workers that will be tried again later, because those that claimed them recorded
   * nothing.
   */
  readonly postponed: number
  /** Runs held by a dead process. */
  readonly orphaned: number
  /** The number of runs that are waiting for a person. */
  readonly waiting: number
  /** The living processes, with their counts as of a few seconds ago. */
  readonly processes: readonly (ProcessCounts & { readonly name: string })[]
}

/** Counts the unfinished runs. The cost does not depend on the number of finished ones. */
export async function readStatus({ query }: Pick<Database, 'query'>): Promise<JournalStatus> {
  const [row] = await query(
    `SELECT count(*) FILTER (WHERE held) AS running,
       count(*) FILTER (WHERE due <= now() AND holder IS NULL) AS due,
       count(*) FILTER (WHERE due > now()) AS postponed,
       count(*) FILTER (WHERE holder IS NOT NULL AND NOT held) AS orphaned,
       count(*) FILTER (WHERE waits) AS waiting
     FROM (SELECT r.due, r.holder, ${IS_HELD} AS held, ${IS_WAITING} AS waits FROM @runs AS r WHERE r.reason IS NULL) AS r`,
  )
  const processes = await query(
    `SELECT name, counts FROM @holders AS h WHERE ${IS_ALIVE} ORDER BY name, holder`,
  )
  const count = (name: string): number => Number(row?.[name] ?? 0)
  return {
    running: count('running'),
    due: count('due'),
    postponed: count('postponed'),
    orphaned: count('orphaned'),
    waiting: count('waiting'),
    processes: processes.map(({ name, counts }) => ({
      name: String(name),
      ...readCounts(String(counts)),
    })),
  }
}

/** The counts of a process since it opened the journal, for monitoring. */
export interface ProcessCounts {
  /** The number of runs claimed. */
  readonly claimed: number
  /** The number of times it could not record because another process had taken over the run. */
  readonly fenceLosses: number
  /** The number of calls with an unknown outcome. */
  readonly unknownCalls: number
  /** The number of appends, and the total time they took in seconds. */
  readonly appends: number
  readonly appendSeconds: number
  /** The number of appends that took at most the time in `APPEND_BUCKETS`, for each bucket. */
  readonly appendBuckets: readonly number[]
}

/** The upper bounds of the buckets, in seconds. */
export const APPEND_BUCKETS: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
]

/** Counts the events of this process. */
export class Counter {
  #counts = noCounts()

  get counts(): ProcessCounts {
    return this.#counts
  }

  claimed(count: number): void {
    this.#counts.claimed += count
  }

  lost(): void {
    this.#counts.fenceLosses++
  }

  appended(records: readonly EncodedRecord[], seconds: number): void {
    const { appendBuckets } = this.#counts
    this.#counts.appends++
    this.#counts.appendSeconds += seconds
    for (const [at, most] of APPEND_BUCKETS.entries()) if (seconds <= most) appendBuckets[at]!++
    this.#counts.unknownCalls += records.filter(isUnknown).length
  }
}

/** Reads the counts of a process, which may be incomplete in another version. */
function readCounts(text: string): ProcessCounts {
  return { ...noCounts(), ...(JSON.parse(text) as Partial<ProcessCounts>) }
}

type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] }

function noCounts(): Writable<Omit<ProcessCounts, 'appendBuckets'>> & { appendBuckets: number[] } {
  return {
    claimed: 0,
    fenceLosses: 0,
    unknownCalls: 0,
    appends: 0,
    appendSeconds: 0,
    appendBuckets: APPEND_BUCKETS.map(() => 0),
  }
}

function isUnknown({ key, kind, value }: EncodedRecord): boolean {
  return (
    kind === 'value' &&
    parseKey(key)?.type === 'call' &&
    (value as { readonly status?: unknown } | null)?.status === 'unknown'
  )
}
