import { type Journal, JournalError, type PruneLimits, type RunLog } from '@toolglot/agent/journal'
import {
  createJournal,
  type EncodedRecord,
  type EncodedRun,
  type HeldRun,
  type JournalStorage,
  type Refusal,
  runLog,
  type SharedValues,
} from '@toolglot/agent/journal/internal'
import { type Append, groupedAppends, withoutNull } from './append.ts'
import { checkClaim, type ClaimOptions, claimRuns } from './claim.ts'
import { connect, type Connection } from './connect.ts'
import { type DatabaseOptions, placeOf } from './database.ts'
import { appendAnswer, appendMessage } from './from-outside.ts'
import { toJournalError } from './journal-error.ts'
import { readRecords, selectSummaries, selectWaits } from './queries.ts'
import { pruneRuns, removeRun } from './retention.ts'
import { sharedValues } from './shared-values.ts'
import { type JournalStatus, readStatus } from './status.ts'

/** Options for a journal on Postgres: its address, and how processes share its runs. */
export interface PostgresJournalOptions extends DatabaseOptions {
  /**
   * The time after which other processes may take over the runs of an unresponsive process, in
   * milliseconds. Default: 15,000.
   */
  readonly lease?: number | undefined
  /**
   * Create runs for workers: once this process has released an unfinished run, or has died, `claim`
   * gives the run to another process. Default: false.
   */
  readonly driven?: boolean | undefined
  /** Delete older runs once a day in the background. Named, open and waiting runs are kept. */
  readonly retention?: PruneLimits | undefined
  /** Called with messages for users, such as an unreachable database. */
  readonly warn?: ((message: string) => void) | undefined
}

/** A journal on Postgres, with methods for workers. */
export interface PostgresJournal extends Journal {
  /**
   * Opens runs for workers that no process is executing: released or answered runs, and those whose
   * process has died. Each run goes to only one process. Owners take turns.
   */
  claim(options: ClaimOptions): Promise<readonly RunLog[]>
  /** Values other than runs that servers share. */
  readonly values: SharedValues
  /** Counts the runs that have not ended, for monitoring. */
  status(): Promise<JournalStatus>
}

/**
 * Creates a journal in a Postgres database, which any number of machines can share.
 * `migrateJournal` creates its tables. The connection is made on first use.
 */
export function postgresJournal(options: PostgresJournalOptions): PostgresJournal {
  let opening: Promise<Connection> | undefined
  let closed = false

  async function use<Value>(work: (connection: Connection) => Promise<Value>): Promise<Value> {
    const place = placeOf(options.url)
    try {
      if (closed) throw new JournalError('failed', `The journal at ${place} was closed.`)
      opening ??= connect(options)
      // The next call tries again, since the cause may no longer exist.
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
    // Keeps the process alive while connections close, because idle connections don't.
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

/**
 * Runs `work` with the connection, which is opened first if needed. Errors are converted for users.
 */
export type UseConnection = <Value>(
  work: (connection: Connection) => Promise<Value>,
) => Promise<Value>

/** Stores the records of a journal in a Postgres database. */
function postgresStorage(
  use: UseConnection,
  { driven, close }: { driven: boolean; close: () => Promise<void> },
): JournalStorage {
  /** Notifies waiters of new records. */
  async function telling(
    { watcher }: Connection,
    run: string,
    appending: Promise<Refusal | undefined>,
    records?: readonly EncodedRecord[],
  ): Promise<Refusal | undefined> {
    const refusal = await appending
    if (refusal === undefined) watcher.appended(run, records)
    return refusal
  }

  return {
    hold: (run, options) =>
      use(async (connection) => {
        const hold = await connection.hold(run, { ...options, driven })
        if (!hold) return undefined
        const { epoch, isNew } = hold
        if (isNew) return { records: [], epoch }
        try {
          return await readHeld(connection, run, epoch)
        } catch (error) {
          await connection.release({ run, epoch })
          throw error
        }
      }),
    release: (run, epoch, options) =>
      use((connection) => connection.release({ run, epoch, ...options })),
    append: (run, epoch, records, messagesRead) =>
      use(async (connection) => {
        const { held, counter } = connection
        const hold = held.get(run)
        if (hold?.epoch !== epoch) {
          counter.lost()
          return 'lost'
        }
        if (new Set(records.map(({ kind, key }) => `${kind} ${key}`)).size < records.length)
          return 'taken'
        const unit = { run, epoch, records, messagesRead, known: hold.records }
        const began = performance.now()
        const refusal = await telling(connection, run, connection.append(unit), records)
        if (refusal === 'lost') counter.lost()
        if (refusal !== undefined) return refusal
        hold.records += records.length
        counter.appended(records, (performance.now() - began) / 1000)
        return undefined
      }),
    answer: (run, record) =>
      use((connection) => telling(connection, run, appendAnswer(connection.database, run, record))),
    post: (run, record) =>
      use((connection) =>
        telling(connection, run, appendMessage(connection.database, run, record)),
      ),
    read: (run, after) => use(({ database }) => readRecords(database.prepared, run, after)),
    async wait(run, target, signal) {
      signal.throwIfAborted()
      const { watcher } = await use(async (connection) => connection)
      return watcher.wait(run, target, signal)
    },
    waits: (run) => use(({ database }) => selectWaits(database.query, run)),
    runs: (options) => use(({ database }) => selectSummaries(database.query, options)),
    rename: (run, name) =>
      use(async ({ database }) => {
        const sql = 'UPDATE @runs SET name = $2 WHERE run = $1 RETURNING run'
        return (await database.query(sql, [run, withoutNull(name)])).length > 0
      }),
    remove: (run) => use(({ database }) => removeRun(database.query, run)),
    prune: (limits) => use(({ database }) => pruneRuns(database.query, limits)),
    add: (run) =>
      use(async (connection) => {
        const added = await addRun(connection, run)
        if (added) connection.watcher.appended(run.run)
        return added
      }),
    close,
  }
}

/** Reads the records of a run that this process holds. */
async function readHeld(
  { database, held }: Connection,
  run: string,
  epoch: string,
): Promise<HeldRun> {
  const records = await readRecords(database.prepared, run)
  const hold = held.get(run)
  if (hold?.epoch === epoch) hold.records = records.length
  return { records, epoch }
}

/** Adds a whole run in one transaction. */
function addRun(
  { database }: Connection,
  { run, name, records, imported }: EncodedRun,
): Promise<boolean> {
  return database.transaction(async (query) => {
    const time = records[0]?.time ?? Date.now()
    const messages = records.filter(({ kind }) => kind === 'message').length
    const [created] = await query(
      `INSERT INTO @runs (run, name, started, last, imported, messages, epoch)
       VALUES ($1, $2, $3, $3, $4, $5, 1) ON CONFLICT DO NOTHING RETURNING run`,
      [run, withoutNull(name), time, imported, messages],
    )
    if (!created) return false
    if (records.length === 0) return true
    const append: Append = groupedAppends(query)
    const refusal = await append({ run, epoch: '1', records, known: 0 })
    if (refusal !== undefined) throw new JournalError('failed', `The run ${run} cannot be added.`)
    return true
  })
}
