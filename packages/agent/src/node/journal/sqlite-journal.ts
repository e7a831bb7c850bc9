import { resolve } from 'node:path'
import { checkName, checkRecord, checkRun } from '../../journal/check-record.ts'
import { type Cap, type Journal, JournalError, type RecordedRun } from '../../journal/journal.ts'
import { importedError } from '../../journal/memory.ts'
import { type Connection, connect } from './connect.ts'
import { processOf } from './holder.ts'
import { readRecords } from './read-records.ts'
import { runLog } from './run-log.ts'
import {
  appendBy,
  appendFor,
  beyond,
  forget,
  free,
  newRun,
  runNamed,
  summaries,
  take,
} from './statements.ts'
import { summaryOf } from './summary-of.ts'
import { isRefused, isTaken, telling } from './problems.ts'

export interface SqliteJournalOptions {
  /** Where the runs are; it is made, if it is not there. Nobody else can read it. */
  readonly file: string
  /** Is told, for a person, that part of the journal is lost. */
  readonly warn?: (message: string) => void
}

/** A journal in an SQLite database, which any number of processes of this machine may use. Opened when it is first used. */
export function sqliteJournal(options: SqliteJournalOptions): Journal {
  const file = resolve(options.file)
  let connecting: Promise<Connection> | undefined
  let closed = false

  function use<Value>(work: (connection: Connection) => Promise<Value>): Promise<Value> {
    return telling(file, async () => {
      if (closed) throw new JournalError('failed', `The journal ${file} was closed.`)
      connecting ??= connect(file, options.warn)
      // The next one tries again: there may be space by then.
      connecting.catch(() => (connecting = undefined))
      return work(await connecting)
    })
  }

  return {
    async open(run, { imported = false } = {}) {
      checkRun(run)
      return use(async (connection) => {
        await hold(connection, run, imported)
        try {
          return runLog(connection, run, await readRecords(connection, run))
        } catch (error) {
          await connection.thread.commit([free(run, connection.holders.own)])
          throw error
        }
      })
    },
    async read(run) {
      return use((connection) => readRecords(connection, run))
    },
    async answer(run, key, value) {
      const record = { run, key, kind: 'answer', value, time: Date.now() } as const
      const text = checkRecord(record)
      return use(async ({ thread, answers }) => {
        const added = await succeeds(thread.commit(appendFor({ ...record, text })))
        if (added) answers.look()
        return added
      })
    },
    async runs({ search = '', limit = 100 } = {}) {
      return use(async (connection) => {
        await connection.releaseDead()
        return (await connection.thread.all(summaries({ search, limit }))).map(summaryOf)
      })
    },
    async rename(run, name) {
      checkName(name)
      const sql = 'UPDATE runs SET name = :name WHERE run = :run'
      return use(({ thread }) =>
        succeeds(thread.commit([{ sql, values: { run, name }, mustChange: true }])),
      )
    },
    async remove(run) {
      return use(async (connection) => {
        const { thread, releaseDead } = connection
        await releaseDead()
        if (await succeeds(thread.commit([forget(run)]))) return true
        const [row] = await thread.all(runNamed(run))
        if (row) throw busy(run, String(row['holder']))
        return false
      })
    },
    async keep(cap) {
      return use((connection) => keep(connection, cap))
    },
    async add(run) {
      return use((connection) => add(connection, run))
    },
    async close() {
      closed = true
      // One that could not be opened needs no closing.
      const connection = await connecting?.catch(() => undefined)
      connecting = undefined
      await connection?.close()
    },
  }
}

/** Makes this process the only one that records a run. */
async function hold(connection: Connection, run: string, imported: boolean): Promise<void> {
  const { thread, holders } = connection
  const { own } = holders
  for (;;) {
    const [row] = await thread.all(runNamed(run))
    if (row?.['damage']) throw new JournalError('corrupt', String(row['damage']))
    if (row?.['imported'] && !imported) throw importedError(run)
    const holder = row ? (row['holder'] as string | null) : null
    if (holder !== null && (await holders.isAlive(holder))) throw busy(run, holder)
    const taking = row ? take(run, holder, own) : newRun(run, { time: Date.now(), holder: own })
    // Refused: somebody else was faster, so look again at who it is.
    if (await succeeds(thread.commit([taking]))) return
  }
}

async function keep(
  { thread, releaseDead }: Connection,
  { runs = Number.MAX_SAFE_INTEGER, days = Infinity }: Cap,
): Promise<number> {
  await releaseDead()
  const oldest = days === Infinity ? 0 : Date.now() - days * 86_400_000
  const gone = await thread.all(beyond({ runs, oldest }))
  const removed = await Promise.all(
    gone.map(({ run }) => succeeds(thread.commit([forget(String(run))]))),
  )
  return removed.filter(Boolean).length
}

/** As whoever holds it, so that it is recorded like any other; then it is free. */
async function add({ thread, holders }: Connection, added: RecordedRun): Promise<void> {
  const { run, name, records } = added
  checkRun(run)
  if (name !== undefined) checkName(name)
  const time = records[0]?.time ?? Date.now()
  const { own } = holders
  const mark = 'UPDATE runs SET imported = 1 WHERE run = :run'
  const done = await succeeds(
    thread.commit([
      newRun(run, { time, holder: own, ...(name !== undefined && { name }) }),
      ...records.flatMap((record) => appendBy(own, { ...record, run, text: checkRecord(record) })),
      { sql: mark, values: { run } },
      free(run, own),
    ]),
  )
  if (!done) throw new JournalError('taken', `There is a run ${run} already.`)
}

/** False: refused, or something stands there already. */
async function succeeds(commit: Promise<void>): Promise<boolean> {
  try {
    await commit
    return true
  } catch (error) {
    if (isRefused(error) || isTaken(error)) return false
    throw error
  }
}

function busy(run: string, holder: string): JournalError {
  const pid = processOf(holder)
  const who = pid === String(process.pid) ? 'this process' : `process ${pid}`
  return new JournalError(
    'busy',
    `The run ${run} is open in ${who}: only one may record it. Stop it there first.`,
  )
}
