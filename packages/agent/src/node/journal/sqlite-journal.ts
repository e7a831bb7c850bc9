import { resolve } from 'node:path'
import { createJournal } from '../../journal/create-journal.ts'
import { type Journal, JournalError, type PruneLimits } from '../../journal/journal.ts'
import { type Connection, connect } from './connect.ts'
import { withJournalErrors } from './journal-error.ts'
import { type Retention, startRetention } from './retention.ts'
import { sqliteStorage } from './sqlite-storage.ts'

/** Where an SQLite journal is, and how long it keeps runs. */
export interface SqliteJournalOptions {
  /** The database file. It is created if it is missing, readable only by its owner. */
  readonly file: string
  /** Older runs are deleted once a day, in the background. Runs that have a name, are open or wait are kept. */
  readonly retention?: PruneLimits | undefined
  /**
   * Called with a message for people: part of the journal was lost, it was moved aside because it has another version, or old
   * runs could not be deleted.
   */
  readonly warn?: ((message: string) => void) | undefined
}

/** Creates a journal in an SQLite database, which any number of processes on this machine can share. Opens on first use. */
export function sqliteJournal(options: SqliteJournalOptions): Journal {
  const { warn = () => {} } = options
  const file = resolve(options.file)
  let opening: Promise<{ connection: Connection; retention: Retention }> | undefined
  let closed = false

  async function open(): Promise<{ connection: Connection; retention: Retention }> {
    const connection = await connect(file, warn)
    return { connection, retention: startRetention(connection, options.retention, warn) }
  }

  function use<Value>(work: (connection: Connection) => Promise<Value>): Promise<Value> {
    return withJournalErrors(file, async () => {
      if (closed) throw new JournalError('failed', `The journal ${file} was closed.`)
      opening ??= open()
      // The next call tries again: the cause may be gone by then.
      opening.catch(() => (opening = undefined))
      return work((await opening).connection)
    })
  }

  async function close(): Promise<void> {
    closed = true
    // A connection that failed to open needs no closing.
    const opened = await opening?.catch(() => undefined)
    opening = undefined
    await opened?.retention.stop()
    await opened?.connection.close()
  }

  return createJournal(sqliteStorage(use, { file, close }))
}
