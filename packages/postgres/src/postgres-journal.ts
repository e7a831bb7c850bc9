import { type Journal, JournalError, type PruneLimits } from '@toolglot/agent/journal'
import { createJournal } from '@toolglot/agent/journal/internal'
import { type Connection, connect } from './connect.ts'
import { type DatabaseOptions, placeOf } from './database.ts'
import { toJournalError } from './journal-error.ts'
import { postgresStorage } from './postgres-storage.ts'

/** Where a journal on Postgres is, and how processes share its runs. */
export interface PostgresJournalOptions extends DatabaseOptions {
  /**
   * How long a process that is not heard of any more keeps its runs, in milliseconds (default 15 000). Then other processes
   * may take them over.
   */
  readonly lease?: number
  /**
   * Opens runs although another process has them open, which then records nothing more: for engines that know that the other
   * process is gone. Default: false.
   */
  readonly takeover?: boolean
  /** Older runs are deleted once a day, in the background. Runs that have a name, are open or wait are kept. */
  readonly retention?: PruneLimits
  /** Called with a message for people, such as that the database cannot be reached. */
  readonly warn?: (message: string) => void
}

/**
 * Creates a journal in a Postgres database, which any number of machines can share. `migrateJournal` creates its tables. It
 * connects on first use.
 */
export function postgresJournal(options: PostgresJournalOptions): Journal {
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
    await connection?.close()
  }

  const { takeover = false } = options
  return createJournal(postgresStorage(use, { takeover, close }))
}
