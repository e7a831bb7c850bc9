import { type Journal, JournalError, type PruneLimits, type RunLog } from '@toolglot/agent/journal'
import { createJournal, runLog, type SharedValues } from '@toolglot/agent/journal/internal'
import { checkClaim, type ClaimOptions, claimRuns } from './claim.ts'
import { type Connection, connect } from './connect.ts'
import { type DatabaseOptions, placeOf } from './database.ts'
import { toJournalError } from './journal-error.ts'
import { postgresStorage, readHeld } from './postgres-storage.ts'
import { sharedValues } from './shared-values.ts'
import { type JournalStatus, readStatus } from './status.ts'

/** Where a journal on Postgres is, and how processes share its runs. */
export interface PostgresJournalOptions extends DatabaseOptions {
  /**
   * How long a process that is not heard of any more keeps its runs, in milliseconds (default 15 000). Then other processes
   * may take them over.
   */
  readonly lease?: number | undefined
  /**
   * Whether runs that are created here are for workers: once this process has released an unfinished run, or is gone,
   * `claim` gives it to another one. Default: false.
   */
  readonly driven?: boolean | undefined
  /** Older runs are deleted once a day, in the background. Runs that have a name, are open or wait are kept. */
  readonly retention?: PruneLimits | undefined
  /** Called with a message for people, such as that the database cannot be reached. */
  readonly warn?: ((message: string) => void) | undefined
}

/** A journal on Postgres, with what workers need. */
export interface PostgresJournal extends Journal {
  /**
   * Opens runs that are for workers and that nobody executes: those that were released, were answered, or whose process is
   * gone. No other process gets the same. Owners take turns.
   */
  claim(options: ClaimOptions): Promise<readonly RunLog[]>
  /** Values that servers share besides runs. */
  readonly values: SharedValues
  /** Counts the runs that have not ended, for monitoring. */
  status(): Promise<JournalStatus>
}

/**
 * Creates a journal in a Postgres database, which any number of machines can share. `migrateJournal` creates its tables. It
 * connects on first use.
 */
export function postgresJournal(options: PostgresJournalOptions): PostgresJournal {
  let opening: Promise<Connection> | undefined
  let closed = false

  async function use<Value>(work: (connection: Connection) => Promise<Value>): Promise<Value> {
    const place = placeOf(options.url)
    try {
      if (closed) throw new JournalError('failed', `The journal at ${place} was closed.`)
      opening ??= connect(options)
      // The next call tries again: the cause may be gone by then.
      opening.catch(() => (opening = undefined))
      return await work(await opening)
    } catch (error) {
      throw toJournalError(error, place)
    }
  }

  async function close(): Promise<void> {
    closed = true
    // A connection that failed to open needs no closing.
    const connection = await opening?.catch(() => undefined)
    opening = undefined
    // Idle connections keep no process alive, which would end before they are closed.
    const timer = setInterval(() => {}, 1000)
    try {
      await connection?.close()
    } finally {
      clearInterval(timer)
    }
  }

  const { driven = false } = options
  const storage = postgresStorage(use, { driven, close })
  return {
    ...createJournal(storage),
    async claim(wanted) {
      checkClaim(wanted)
      return use(async (connection) => {
        const claimed = await claimRuns(connection, wanted)
        return Promise.all(
          claimed.map(async ({ run, epoch }) =>
            runLog(storage, run, await readHeld(connection, run, epoch)),
          ),
        )
      })
    },
    values: sharedValues(use),
    status: () => use(({ database }) => readStatus(database)),
  }
}
