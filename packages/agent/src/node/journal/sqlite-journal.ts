import { resolve } from 'node:path'
import { createJournal } from '../../journal/create-journal.ts'
import {
  type Journal,
  JournalError,
  type JournalRecord,
  type PruneLimits,
} from '../../journal/journal.ts'
import { messageKey } from '../../journal/keys.ts'
import { storedRecord } from '../../journal/record.ts'
import { importedError, type Refusal } from '../../journal/refusal.ts'
import { summaryOfRow } from '../../journal/run-summary.ts'
import type { EncodedRun, HoldOptions, JournalStorage } from '../../journal/storage.ts'
import type { Upkeep } from '../../journal/upkeep.ts'
import { connect, type Connection } from './connect.ts'
import type { DatabaseThread, Statement } from './database-thread.ts'
import { processIdOf } from './holders.ts'
import { refusalOf, toJournalError, withJournalErrors } from './journal-error.ts'
import { prune, returnSpace, startRetention } from './retention.ts'
import {
  appendAnswer,
  appendAsHolder,
  appendMessage,
  deleteRun,
  insertRun,
  releaseRun,
  selectRecords,
  selectRun,
  selectSummaries,
  selectWaits,
  takeOverRun,
} from './statements.ts'

/** The location of an SQLite journal, and how long to keep runs. */
export interface SqliteJournalOptions {
  /** The database file. A missing file is created. Only its owner can read it. */
  readonly file: string
  /**
   * Limits for deleting old runs once a day, in the background. Runs that have a name, are open, or
   * are waiting for an answer are kept.
   */
  readonly retention?: PruneLimits | undefined
  /**
   * Called with a message for people if part of the journal was lost, if it was moved aside because
   * it has another version, or if old runs could not be deleted.
   */
  readonly warn?: ((message: string) => void) | undefined
}

/**
 * Creates a journal in an SQLite database, which can be shared by any number of processes on this
 * machine. The database is opened on first use.
 */
export function sqliteJournal(options: SqliteJournalOptions): Journal {
  const { warn = () => {} } = options
  const file = resolve(options.file)
  let opening: Promise<{ connection: Connection; retention: Upkeep | undefined }> | undefined
  let closed = false

  async function open(): Promise<{ connection: Connection; retention: Upkeep | undefined }> {
    const connection = await connect(file, warn)
    const { retention: limits } = options
    return { connection, retention: limits && startRetention(connection, limits, warn) }
  }

  function use<Value>(work: (connection: Connection) => Promise<Value>): Promise<Value> {
    return withJournalErrors(file, async () => {
      if (closed) throw new JournalError('failed', `The journal ${file} was closed.`)
      opening ??= open()
      // Let the next call try again, since the cause may have disappeared.
      opening.catch(() => (opening = undefined))
      return work((await opening).connection)
    })
  }

  async function close(): Promise<void> {
    closed = true
    // A connection that failed to open cannot be closed.
    const opened = await opening?.catch(() => undefined)
    opening = undefined
    await opened?.retention?.stop()
    await opened?.connection.close()
  }

  return createJournal(sqliteStorage(use, { file, close }))
}

/** Does work with a connection, opening it if necessary. Errors are written for people. */
type UseConnection = <Value>(work: (connection: Connection) => Promise<Value>) => Promise<Value>

/** Stores the records of a journal in an SQLite database. */
function sqliteStorage(
  use: UseConnection,
  { file, close }: { file: string; close: () => Promise<void> },
): JournalStorage {
  /** The key of the next message for each held run, which did not exist at time `at`. */
  const absentMessages = new Map<string, { readonly key: string; readonly at: number }>()

  /** Appends a record and notifies its waiters. */
  function append(
    run: string,
    kind: string,
    unit: (connection: Connection) => Statement[],
  ): Promise<Refusal | undefined> {
    return use(async (connection) => {
      const refusal = await refusalOf(connection.thread.commit(unit(connection)))
      if (refusal === undefined) connection.watcher.appended(run, kind)
      return refusal === 'refused' ? 'lost' : (refusal as Refusal | undefined)
    })
  }

  return {
    hold: (run, options) =>
      use(async (connection) => {
        const { thread, holders, watcher } = connection
        if (!(await holdRun(connection, run, options))) return undefined
        try {
          const at = watcher.now()
          const records = await readRecords(thread, run)
          const messages = records.filter(({ kind }) => kind === 'message').length
          absentMessages.set(run, { key: messageKey(messages), at })
          // Locks of live processes are never taken over, so this process holds the run.
          return { records, epoch: '' }
        } catch (error) {
          await thread.commit([releaseRun(run, holders.own)])
          throw error
        }
      }),
    release(run) {
      absentMessages.delete(run)
      return use(({ thread, holders }) => thread.commit([releaseRun(run, holders.own)]))
    },
    append: (run, _, records, messagesRead) =>
      append(run, records[0]?.kind ?? 'value', ({ holders }) =>
        records.flatMap((record) => appendAsHolder(run, holders.own, record, messagesRead)),
      ),
    answer: (run, record) => append(run, 'answer', () => appendAnswer(run, record)),
    post: (run, record) => append(run, 'message', () => appendMessage(run, record)),
    read: (run, after) => use(({ thread }) => readRecords(thread, run, after)),
    async wait(run, target, signal) {
      const absent = absentMessages.get(run)
      const isAbsent = 'kind' in target && target.kind === 'message' && target.key === absent?.key
      const { watcher } = await use(async (connection) => connection)
      try {
        return await watcher.wait(run, target, signal, isAbsent ? absent?.at : undefined)
      } catch (error) {
        throw signal.aborted ? error : toJournalError(error, file)
      }
    },
    waits: (run) =>
      use(async ({ thread, releaseDeadHolders }) => {
        await releaseDeadHolders()
        const rows = await thread.all(selectWaits(run))
        return rows.map((row) => ({
          run: String(row['run']),
          key: String(row['key']),
          value: JSON.parse(String(row['value'])) as unknown,
          time: Number(row['time']),
        }))
      }),
    runs: (options) =>
      use(async ({ thread, releaseDeadHolders }) => {
        await releaseDeadHolders()
        return (await thread.all(selectSummaries(options))).map(summaryOfRow)
      }),
    rename: (run, name) =>
      use(({ thread }) => {
        const sql = 'UPDATE runs SET name = :name WHERE run = :run'
        return succeeds(thread.commit([{ sql, values: { run, name }, mustChange: true }]))
      }),
    remove: (run) =>
      use(async ({ thread, releaseDeadHolders }) => {
        await releaseDeadHolders()
        if (await succeeds(thread.commit([deleteRun(run)]))) {
          await returnSpace(thread)
          return true
        }
        const [row] = await thread.all(selectRun(run))
        if (row) throw busyError(run, String(row['holder']))
        return false
      }),
    prune: (limits) => use((connection) => prune(connection, limits)),
    add: (run) =>
      use(async (connection) => {
        const added = await addRun(connection, run)
        if (added) connection.watcher.appended(run.run, 'value')
        return added
      }),
    close,
  }
}

/**
 * Makes this process the holder of a run. False if the run does not exist and must not be created.
 */
async function holdRun(
  { thread, holders }: Connection,
  run: string,
  { imported, create }: HoldOptions,
): Promise<boolean> {
  const { own } = holders
  for (;;) {
    const [row] = await thread.all(selectRun(run))
    if (!row && !create) return false
    if (row?.['damage']) throw new JournalError('corrupt', String(row['damage']))
    const holder = row ? (row['holder'] as string | null) : null
    if (holder !== null && (await holders.isAlive(holder))) throw busyError(run, holder)
    if (row?.['imported'] && !imported) throw importedError(run)
    const statement = row
      ? takeOverRun(run, holder, own)
      : insertRun(run, { time: Date.now(), holder: own })
    // Another process took the run in the meantime, so check again.
    if (await succeeds(thread.commit([statement]))) return true
  }
}

/** Records a run as its holder, then releases it. */
async function addRun(
  { thread, holders }: Connection,
  { run, name, records, imported }: EncodedRun,
): Promise<boolean> {
  const { own } = holders
  const mark = 'UPDATE runs SET imported = :imported WHERE run = :run'
  return succeeds(
    thread.commit([
      insertRun(run, { time: records[0]?.time ?? Date.now(), holder: own, name }),
      ...records.flatMap((record) => appendAsHolder(run, own, record)),
      { sql: mark, values: { run, imported: imported ? 1 : 0 } },
      releaseRun(run, own),
    ]),
  )
}

/** True if a commit succeeded. False if it was rejected or its key already exists. */
async function succeeds(commit: Promise<void>): Promise<boolean> {
  return (await refusalOf(commit)) === undefined
}

function busyError(run: string, holder: string): JournalError {
  const pid = processIdOf(holder)
  const who = pid === String(process.pid) ? 'this process' : `process ${pid}`
  return new JournalError(
    'busy',
    `The run ${run} is open in ${who}. Only one process can record a run: stop it there first.`,
  )
}

/**
 * Reads and verifies the records of a run. A damaged run is marked, so that it cannot be resumed.
 */
async function readRecords(
  thread: DatabaseThread,
  run: string,
  after = 0,
): Promise<readonly JournalRecord[]> {
  const all = await thread.all(selectRecords(run, after))
  const rows = all.filter(({ seq }) => seq !== null)
  const isIntact = ({ seq, intact }: (typeof rows)[number], index: number): boolean =>
    intact === 1 && seq === after + index + 1
  const firstDamaged = rows.findIndex((row, index) => !isIntact(row, index))
  const intactCount = after + (firstDamaged === -1 ? rows.length : firstDamaged)
  const expected = Number(all[0]?.['expected'] ?? 0)
  if (intactCount === Math.max(expected, after)) {
    return rows.map(({ key, kind, value, time }) =>
      storedRecord(
        { key: String(key), kind: kind as JournalRecord['kind'], time: Number(time) },
        value as Uint8Array,
      ),
    )
  }
  const damage = `Record ${intactCount + 1} of the run ${run} is damaged or lost, so its effect is unknown. It cannot be resumed; other runs are not affected. Start a new run.`
  const sql = 'UPDATE runs SET damage = ifnull(damage, :damage) WHERE run = :run'
  await thread.commit([{ sql, values: { run, damage } }])
  throw new JournalError('corrupt', damage)
}
