import { JournalError } from '@toolglot/agent/journal'
import { type Append, groupedAppends } from './append.ts'
import { type Database, openDatabase } from './database.ts'
import { holdRun, type HoldRunOptions, releaseRun } from './hold.ts'
import { isConnectionError } from './journal-error.ts'
import { type Lease, startLease } from './lease.ts'
import { openNotices } from './notices.ts'
import type { PostgresJournalOptions } from './postgres-journal.ts'
import { startRetention } from './retention.ts'
import { checkVersion } from './schema.ts'
import { watchRuns, type Watcher } from './watcher.ts'

/** An open journal. */
export interface Connection {
  readonly database: Database
  readonly lease: Lease
  readonly watcher: Watcher
  readonly append: Append
  /** The epochs of the runs that this process holds. */
  readonly epochs: ReadonlyMap<string, string>
  /** Makes this process the holder of a run. False if it does not exist and is not created. */
  hold(run: string, options: HoldRunOptions): Promise<boolean>
  /** Notes that this process has become the holder of a run. */
  readonly held: (run: string, epoch: string) => void
  /** Notes that this process may hold a run that it does not execute: it is released as soon as possible. */
  readonly mayHold: (run: string) => void
  /** Lets other processes hold a run. If that fails, it is tried again until it succeeds. */
  release(run: string): Promise<void>
  close(): Promise<void>
}

/** Connects to a journal. */
export async function connect({
  lease: duration = 15_000,
  retention: limits,
  warn = () => {},
  ...options
}: PostgresJournalOptions): Promise<Connection> {
  const database = openDatabase(options)
  const epochs = new Map<string, string>()
  /** Runs that this process does not execute, but may hold: they could not be released, or holding them failed in the middle. */
  const unreleased = new Map<string, string | undefined>()
  let isWarned = false

  async function release(run: string, holder: string, epoch: string | undefined): Promise<void> {
    unreleased.set(run, epoch)
    await releaseRun(database.query, run, holder, epoch)
    unreleased.delete(run)
  }

  function held(run: string, epoch: string): void {
    epochs.set(run, epoch)
    unreleased.delete(run)
  }

  function mayHold(run: string): void {
    if (!epochs.has(run)) unreleased.set(run, undefined)
  }

  try {
    await checkVersion(database)
    const lease = await startLease(database, {
      lease: duration,
      onRenewed(holder) {
        isWarned = false
        for (const [run, epoch] of unreleased) void release(run, holder, epoch).catch(() => {})
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
      append: groupedAppends(database),
      epochs,
      held,
      mayHold,
      async hold(run, how) {
        try {
          const epoch = await holdRun(database.query, run, lease.holder, how)
          if (epoch === undefined) return false
          held(run, epoch)
          return true
        } catch (error) {
          if (isConnectionError(error)) mayHold(run)
          throw error
        }
      },
      async release(run) {
        const epoch = epochs.get(run)
        epochs.delete(run)
        if (epoch !== undefined) await release(run, lease.holder, epoch)
      },
      async close() {
        watcher.stop(new JournalError('failed', `The journal at ${database.place} was closed.`))
        await retention.stop()
        // If the database is gone, others take the runs over when the lease has run out.
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
  return `The journal at ${place} could not be told that this process is alive: ${(error as Error).message}. If that goes on, other processes take over its runs.`
}
