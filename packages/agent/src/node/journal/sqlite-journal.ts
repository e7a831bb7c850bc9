import { resolve } from 'node:path'
import { checkRunName, encodeRecord, checkRunId } from '../../journal/check-record.ts'
import {
  type PruneLimits,
  type Journal,
  JournalError,
  type RecordedRun,
} from '../../journal/journal.ts'
import { importedError } from '../../journal/memory-journal.ts'
import type { RunState, RunSummary } from '../../journal/run-summary.ts'
import { type Connection, connect } from './connect.ts'
import type { Row } from './database-thread.ts'
import { processIdOf } from './holders.ts'
import { readRecords } from './read-records.ts'
import { runLog } from './run-log.ts'
import {
  appendAsHolder,
  appendAnswer,
  selectPrunable,
  deleteRun,
  releaseRun,
  insertRun,
  selectRun,
  selectSummaries,
  takeOverRun,
} from './statements.ts'
import { isRefused, isTaken, withJournalErrors } from './journal-error.ts'

/** Where an SQLite journal is. */
export interface SqliteJournalOptions {
  /** The database file. It is created if it is missing, readable only by its owner. */
  readonly file: string
  /** Called with a message for people if part of the journal was lost. */
  readonly warn?: (message: string) => void
}

/** Creates a journal in an SQLite database, which any number of processes on this machine can share. Opens on first use. */
export function sqliteJournal(options: SqliteJournalOptions): Journal {
  const file = resolve(options.file)
  let connecting: Promise<Connection> | undefined
  let closed = false

  function use<Value>(work: (connection: Connection) => Promise<Value>): Promise<Value> {
    return withJournalErrors(file, async () => {
      if (closed) throw new JournalError('failed', `The journal ${file} was closed.`)
      connecting ??= connect(file, options.warn)
      // The next call tries again: the cause may be gone by then.
      connecting.catch(() => (connecting = undefined))
      return work(await connecting)
    })
  }

  return {
    async open(run, { imported = false } = {}) {
      checkRunId(run)
      return use(async (connection) => {
        await holdRun(connection, run, imported)
        try {
          return runLog(connection, run, await readRecords(connection, run))
        } catch (error) {
          await connection.thread.commit([releaseRun(run, connection.holders.own)])
          throw error
        }
      })
    },
    async read(run) {
      return use((connection) => readRecords(connection, run))
    },
    async answer(run, key, value) {
      const record = { run, key, kind: 'answer', value, time: Date.now() } as const
      const text = encodeRecord(record)
      return use(async ({ thread, answers }) => {
        const added = await succeeds(thread.commit(appendAnswer({ ...record, text })))
        if (added) answers.checkNow()
        return added
      })
    },
    async runs({ search = '', limit = 100 } = {}) {
      return use(async (connection) => {
        await connection.releaseDeadHolders()
        return (await connection.thread.all(selectSummaries({ search, limit }))).map(summaryOf)
      })
    },
    async rename(run, name) {
      checkRunName(name)
      const sql = 'UPDATE runs SET name = :name WHERE run = :run'
      return use(({ thread }) =>
        succeeds(thread.commit([{ sql, values: { run, name }, mustChange: true }])),
      )
    },
    async remove(run) {
      return use(async (connection) => {
        const { thread, releaseDeadHolders } = connection
        await releaseDeadHolders()
        if (await succeeds(thread.commit([deleteRun(run)]))) return true
        const [row] = await thread.all(selectRun(run))
        if (row) throw busyError(run, String(row['holder']))
        return false
      })
    },
    async prune(limits) {
      return use((connection) => prune(connection, limits))
    },
    async add(run) {
      return use((connection) => importRun(connection, run))
    },
    async close() {
      closed = true
      // A connection that failed to open needs no closing.
      const connection = await connecting?.catch(() => undefined)
      connecting = undefined
      await connection?.close()
    },
  }
}

/** Reads a row of `selectSummaries`. */
function summaryOf(row: Row): RunSummary {
  const text = (name: string): string | undefined => (row[name] as string | null) ?? undefined
  return {
    run: String(row['run']),
    name: text('name'),
    prompt: text('prompt'),
    model: text('model'),
    started: Number(row['started']),
    last: Number(row['last']),
    turns: Number(row['turns']),
    state: stateOf(row),
    reason: text('reason'),
    imported: row['imported'] === 1,
  }
}

function stateOf({ damage, reason, waits, holder }: Row): RunState {
  if (damage !== null) return 'corrupt'
  if (reason !== null) return 'finished'
  if (waits === 1) return 'waiting'
  return holder === null ? 'interrupted' : 'running'
}

/** Makes this process the holder of a run. */
async function holdRun(connection: Connection, run: string, imported: boolean): Promise<void> {
  const { thread, holders } = connection
  const { own } = holders
  for (;;) {
    const [row] = await thread.all(selectRun(run))
    if (row?.['damage']) throw new JournalError('corrupt', String(row['damage']))
    if (row?.['imported'] && !imported) throw importedError(run)
    const holder = row ? (row['holder'] as string | null) : null
    if (holder !== null && (await holders.isAlive(holder))) throw busyError(run, holder)
    const statement = row
      ? takeOverRun(run, holder, own)
      : insertRun(run, { time: Date.now(), holder: own })
    // Otherwise another process took it in the meantime: check again.
    if (await succeeds(thread.commit([statement]))) return
  }
}

async function prune(
  { thread, releaseDeadHolders }: Connection,
  { runs = Number.MAX_SAFE_INTEGER, days = Infinity }: PruneLimits,
): Promise<number> {
  await releaseDeadHolders()
  const oldest = days === Infinity ? 0 : Date.now() - days * 86_400_000
  const prunable = await thread.all(selectPrunable({ runs, oldest }))
  const removed = await Promise.all(
    prunable.map(({ run }) => succeeds(thread.commit([deleteRun(String(run))]))),
  )
  return removed.filter(Boolean).length
}

/** Records the run like any other, as its holder, and then releases it. */
async function importRun({ thread, holders }: Connection, imported: RecordedRun): Promise<void> {
  const { run, name, records } = imported
  checkRunId(run)
  if (name !== undefined) checkRunName(name)
  const time = records[0]?.time ?? Date.now()
  const { own } = holders
  const mark = 'UPDATE runs SET imported = 1 WHERE run = :run'
  const done = await succeeds(
    thread.commit([
      insertRun(run, { time, holder: own, ...(name !== undefined && { name }) }),
      ...records.flatMap((record) =>
        appendAsHolder(own, { ...record, run, text: encodeRecord(record) }),
      ),
      { sql: mark, values: { run } },
      releaseRun(run, own),
    ]),
  )
  if (!done) throw new JournalError('taken', `The run ${run} already exists.`)
}

/** Whether a commit succeeded; false if it was refused or its key already exists. */
async function succeeds(commit: Promise<void>): Promise<boolean> {
  try {
    await commit
    return true
  } catch (error) {
    if (isRefused(error) || isTaken(error)) return false
    throw error
  }
}

function busyError(run: string, holder: string): JournalError {
  const pid = processIdOf(holder)
  const who = pid === String(process.pid) ? 'this process' : `process ${pid}`
  return new JournalError(
    'busy',
    `The run ${run} is open in ${who}. Only one process can record a run: stop it there first.`,
  )
}
