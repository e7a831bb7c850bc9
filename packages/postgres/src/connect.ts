import { JournalError } from '@toolglot/agent/journal'
import { type Append, groupedAppends } from './append.ts'
import { Counter } from './status.ts'
import { type Database, openDatabase } from './database.ts'
import {
  holdRun,
  type HoldRunOptions,
  type NewHold,
  type Releasing,
  releaseRun,
  type Lease,
  startLease,
} from './lease.ts'
import { isConnectionError } from './journal-error.ts'
import { openNotices, watchRuns, type Watcher } from './watcher.ts'
import type { PostgresJournalOptions } from './postgres-journal.ts'
import { startRetention } from './retention.ts'
import { checkVersion } from './schema.ts'

/** An open journal. */
export interface Connection {
  readonly database: Database
  readonly lease: Lease
  readonly watcher: Watcher
  readonly append: Append
  /** The counts of this process. */
  readonly counter: Counter
  /** The runs that this process holds, with the number of records known to be in each. */
  readonly held: Map<string, Hold>
  /**
   * Makes this process the holder of a run. Undefined if the run does not exist and is not created.
   */
  hold(run: string, options: HoldRunOptions): Promise<NewHold | undefined>
  /** Records that this process has become the holder of a run. */
  readonly nowHolds: (run: string, epoch: string) => void
  /**
   * Records that this process may hold a run that it does not execute. The run is released as soon
   * as possible.
   */
  readonly mayHold: (run: string) => void
  /** Lets other processes hold a run. Retries until it succeeds. */
  release(releasing: Releasing): Promise<void>
  close(): Promise<void>
}

/** This process's hold on a run. */
export interface Hold {
  readonly epoch: string
  /** The minimum number of records in the run. */
  records: number
}

/** Connects to a journal. */
export async function connect({
  lease: duration = 15_000,
  retention: limits,
  warn = () => {},
  ...options
}: PostgresJournalOptions): Promise<Connection> {
  const database = openDatabase(options)
  const counter = new Counter()
  const held = new Map<string, Hold>()
  /**
   * Runs that this process may hold without executing them, because they could not be released or
   * an attempt to hold them failed midway.
   */
  const unreleased = new Map<string, Releasing>()
  let isWarned = false

  async function release(holder: string, releasing: Releasing): Promise<void> {
    const { run } = releasing
    unreleased.set(run, releasing)
    await releaseRun(database.prepared, holder, releasing)
    if (unreleased.get(run) === releasing) unreleased.delete(run)
  }

  function nowHolds(run: string, epoch: string): void {
    held.set(run, { epoch, records: 0 })
    unreleased.delete(run)
  }

  function mayHold(run: string): void {
    if (!held.has(run)) unreleased.set(run, { run, epoch: undefined })
  }

  try {
    await checkVersion(database, options.schema, warn)
    const lease = await startLease(database, {
      lease: duration,
      counts: () => counter.counts,
      onRenewed(holder) {
        isWarned = false
        for (const each of unreleased.values()) void release(holder, each).catch(() => {})
      },
      onError(error) {
        if (!isWarned) warn(leaseWarning(database.place, error))
        isWarned = true
      },
    })
    const notices = await openNotices(database, options.schema ?? 'toolglot')
    const watcher = watchRuns(database, notices)
    const retention = startRetention(database, limits, warn)
    return {
      database,
      lease,
      watcher,
      append: groupedAppends(database.prepared),
      counter,
      held,
      nowHolds,
      mayHold,
      async hold(run, how) {
        try {
          const hold = await holdRun(database.prepared, run, lease.holder, how)
          if (hold) nowHolds(run, hold.epoch)
          return hold
        } catch (error) {
          if (isConnectionError(error)) mayHold(run)
          throw error
        }
      },
      async release(releasing) {
        const { run, epoch } = releasing
        // This process may have taken over the run once more.
        if (held.get(run)?.epoch !== epoch) return
        held.delete(run)
        await release(lease.holder, releasing)
      },
      async close() {
        watcher.stop(new JournalError('failed', `The journal at ${database.place} was closed.`))
        await retention.stop()
        // If the database is unreachable, other processes take over the runs when the lease
        // expires.
        await lease.end().catch(() => {})
        await notices.close()
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

function leaseWarning(place: string, error: unknown): string {
  return `The journal at ${place} could not be reached to renew the lease of this process: ${(error as Error).message}. If this continues, other processes will take over its runs.`
}
