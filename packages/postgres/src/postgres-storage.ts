import { JournalError } from '@toolglot/agent/journal'
import type {
  EncodedRecord,
  EncodedRun,
  HeldRun,
  JournalStorage,
  Refusal,
} from '@toolglot/agent/journal/internal'
import { type Append, groupedAppends, withoutNull } from './append.ts'
import type { Connection } from './connect.ts'
import { appendAnswer, appendMessage } from './from-outside.ts'
import { readRecords, selectSummaries, selectWaits } from './queries.ts'
import { pruneRuns, removeRun } from './retention.ts'

/** Works with the connection, which is opened first if necessary. Errors are for people. */
export type UseConnection = <Value>(
  work: (connection: Connection) => Promise<Value>,
) => Promise<Value>

/** Keeps the records of a journal in a Postgres database. */
export function postgresStorage(
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
export async function readHeld(
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
