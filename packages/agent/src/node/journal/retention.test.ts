import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { folderOf } from '../../../../../tests/helpers/folder.ts'
import type { Journal } from '../../journal/journal.ts'
import { connect, type Connection } from './connect.ts'
import { type DatabaseThread, startDatabaseThread } from './database-thread.ts'
import { pruneIfDue, startRetention } from './retention.ts'
import { sqliteJournal, type SqliteJournalOptions } from './sqlite-journal.ts'
import { until } from '../../../../../tests/helpers/until.ts'

const YEAR = 365 * 86_400_000
const retention = { days: 30 }
const never = new AbortController().signal

function journalAt(file: string, options: Partial<SqliteJournalOptions> = {}): Journal {
  const journal = sqliteJournal({ file, ...options })
  onTestFinished(() => journal.close())
  return journal
}

async function connectionTo(file: string): Promise<Connection> {
  const connection = await connect(file)
  onTestFinished(() => connection.close())
  return connection
}

/** Adds runs that ended a year ago. */
async function addOld(journal: Journal, ...runs: string[]): Promise<void> {
  const time = Date.now() - YEAR
  for (const run of runs)
    await journal.add({ run, records: [{ key: 'end/0', kind: 'value', value: 1, time }] })
}

async function idsIn(journal: Journal): Promise<string[]> {
  return (await journal.runs()).map(({ run }) => run).sort()
}

test('old runs are deleted in the background, except named and waiting ones', async () => {
  const file = join(folderOf(), 'journal.sqlite')
  const first = journalAt(file)
  await addOld(first, 'old', 'named')
  await first.rename('named', 'Keep me')
  await first.add({
    run: 'waits',
    records: [{ key: 'ok?', kind: 'wait', value: 1, time: Date.now() - YEAR }],
  })
  await (await first.open('new')).close()
  const journal = journalAt(file, { retention })
  const left = await until(
    () => idsIn(journal),
    (ids) => !ids.includes('old'),
  )
  expect(left).toEqual(['named', 'new', 'waits'])
})

test('runs are deleted at most once a day across all processes', async () => {
  const file = join(folderOf(), 'journal.sqlite')
  const journal = journalAt(file)
  const [here, there] = [await connectionTo(file), await connectionTo(file)]
  await addOld(journal, 'a')
  await pruneIfDue(here, retention, never)
  expect(await idsIn(journal)).toEqual([])
  await addOld(journal, 'b')
  for (const connection of [here, there]) await pruneIfDue(connection, retention, never)
  expect(await idsIn(journal)).toEqual(['b'])
  const shift = (days: number): Promise<void> =>
    here.thread.commit([{ sql: `UPDATE upkeep SET pruned = pruned + ${days * 86_400_000}` }])
  await shift(-1)
  await pruneIfDue(there, retention, never)
  expect(await idsIn(journal)).toEqual([])
  // Simulates a clock that was wrong.
  await shift(300)
  await addOld(journal, 'c')
  await pruneIfDue(here, retention, never)
  expect(await idsIn(journal)).toEqual([])
})

test('another process finishes interrupted pruning', async () => {
  const file = join(folderOf(), 'journal.sqlite')
  const journal = journalAt(file)
  const runs = Array.from({ length: 150 }, (_, index) => `r${index}`)
  await addOld(journal, ...runs)
  const connection = await connectionTo(file)
  const stop = new AbortController()
  const { thread } = connection
  const interrupted: Connection = {
    ...connection,
    thread: {
      ...thread,
      // The stop order arrives during the first slice.
      commit(unit) {
        if (unit.some(({ sql }) => sql.startsWith('DELETE'))) stop.abort()
        return thread.commit(unit)
      },
    },
  }
  await pruneIfDue(interrupted, retention, stop.signal)
  expect(await idsIn(journal)).toHaveLength(50)
  await pruneIfDue(connection, retention, never)
  expect(await idsIn(journal)).toEqual([])
})

test('a failure is reported, and the journal works', async () => {
  const file = join(folderOf(), 'journal.sqlite')
  const first = journalAt(file)
  await first.runs()
  const thread = startDatabaseThread()
  onTestFinished(() => thread.close())
  await thread.open(file, '')
  await thread.commit([{ sql: 'DROP TABLE upkeep' }])
  const warning = new Promise((resolve) => {
    void journalAt(file, { retention, warn: resolve }).open('a')
  })
  expect(await warning).toContain(`Old runs in the journal ${file} could not be deleted`)
  await (await first.open('b')).append({ key: 'k', kind: 'value', value: 1 })
})

test('stopping waits for the current slice and deletes nothing more', async () => {
  const file = join(folderOf(), 'journal.sqlite')
  const journal = journalAt(file)
  await addOld(journal, 'old')
  const connection = await connectionTo(file)
  let go = (): void => {}
  const gate = new Promise<void>((resolve) => (go = resolve))
  let began = (): void => {}
  const begun = new Promise<void>((resolve) => (began = resolve))
  const thread: DatabaseThread = {
    ...connection.thread,
    async all(statement) {
      began()
      await gate
      return connection.thread.all(statement)
    },
  }
  const running = startRetention({ ...connection, thread }, retention, () => {})
  await begun
  let stopped = false
  const stopping = running.stop().then(() => (stopped = true))
  await journal.runs()
  expect(stopped).toBe(false)
  go()
  await stopping
  expect(await idsIn(journal)).toEqual(['old'])
  await pruneIfDue(connection, retention, never)
  expect(await idsIn(journal)).toEqual([])
})

const sizeOf = (file: string): number =>
  [file, `${file}-wal`].reduce((sum, path) => sum + statSync(path).size, 0)

/** Records this many runs of half a megabyte each. */
async function fill(journal: Journal, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const log = await journal.open(`run${index}`)
    for (let step = 0; step < 5; step++)
      await log.append({ key: `${step}`, kind: 'value', value: 'x'.repeat(100_000) })
    await log.close()
  }
}

test('pruning shrinks the file and its log while another process records', async () => {
  const file = join(folderOf(), 'journal.sqlite')
  const [journal, other] = [journalAt(file), journalAt(file)]
  await fill(journal, 24)
  expect(sizeOf(file)).toBeGreaterThan(12_000_000)
  const log = await other.open('recording')
  let pruning = true
  const recording = (async () => {
    for (let at = 0; pruning; at++) await log.append({ key: `${at}`, kind: 'value', value: at })
  })()
  expect(await journal.prune({ runs: 3 })).toBe(22)
  pruning = false
  await recording
  const keys = (await other.read('recording')).map(({ key }) => key)
  expect(keys).toEqual(keys.map((_, index) => `${index}`))
  // If the log was always busy, the next record copies it into the file.
  for (let at = 0; at < 3 && sizeOf(file) > 4_000_000; at++)
    await log.append({ key: `more/${at}`, kind: 'value', value: at })
  expect(sizeOf(file)).toBeLessThan(4_000_000)
  expect(await other.read('run23')).toHaveLength(5)
})

test('removing a run shrinks the file', async () => {
  const file = join(folderOf(), 'journal.sqlite')
  const journal = journalAt(file)
  await fill(journal, 4)
  expect(await journal.remove('run1')).toBe(true)
  expect(await journal.remove('run2')).toBe(true)
  expect(sizeOf(file)).toBeLessThan(1_500_000)
})

test('the log stays small however much is recorded', async () => {
  const file = join(folderOf(), 'journal.sqlite')
  const log = await journalAt(file).open('a')
  const sizes: number[] = []
  for (let at = 0; at < 40; at++) {
    const length = at === 10 ? 20_000_000 : 500_000
    await log.append({ key: `${at}`, kind: 'value', value: 'x'.repeat(length) })
    sizes.push(statSync(`${file}-wal`).size)
  }
  expect(Math.max(...sizes)).toBeGreaterThan(20_000_000)
  expect(Math.max(...sizes.slice(12))).toBeLessThan(10_000_000)
})
