import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { folderOf } from '../../../../../tests/helpers/folder.ts'
import type { Journal } from '../../journal/journal.ts'
import { startDatabaseThread } from './database-thread.ts'
import { SETUP, upgrade, VERSIONS } from './schema.ts'
import { sqliteJournal } from './sqlite-journal.ts'

function journalAt(file: string): Journal {
  const journal = sqliteJournal({ file })
  onTestFinished(() => journal.close())
  return journal
}

/** Makes a journal of version 1, whose file cannot shrink. */
async function oldJournal(file: string): Promise<void> {
  const thread = startDatabaseThread()
  await thread.open(file, `${SETUP} PRAGMA journal_mode = WAL`)
  await upgrade(thread, file, VERSIONS.slice(0, 1))
  await thread.close()
}

async function autoVacuum(file: string): Promise<unknown> {
  const thread = startDatabaseThread()
  await thread.open(file, '')
  const [row] = await thread.all({ sql: 'PRAGMA auto_vacuum' })
  await thread.close()
  return row?.['auto_vacuum']
}

const sizeOf = (file: string): number =>
  [file, `${file}-wal`].reduce((sum, path) => sum + statSync(path).size, 0)

/** Records this many runs with half a megabyte each. */
async function fill(journal: Journal, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const log = await journal.open(`run${index}`)
    for (let step = 0; step < 5; step++)
      await log.append({ key: `${step}`, kind: 'value', value: 'x'.repeat(100_000) })
    await log.close()
  }
}

test('pruning makes the file and its log smaller, while another process records', async () => {
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
  expect(sizeOf(file)).toBeLessThan(4_000_000)
  const keys = (await other.read('recording')).map(({ key }) => key)
  expect(keys).toEqual(keys.map((_, index) => `${index}`))
  expect(await other.read('run23')).toHaveLength(5)
})

test('removing a run makes the file smaller', async () => {
  const file = join(folderOf(), 'journal.sqlite')
  const journal = journalAt(file)
  await fill(journal, 4)
  expect(await journal.remove('run1')).toBe(true)
  expect(await journal.remove('run2')).toBe(true)
  expect(sizeOf(file)).toBeLessThan(1_500_000)
})

test('an old journal is rewritten once much of it is free', async () => {
  const file = join(folderOf(), 'journal.sqlite')
  await oldJournal(file)
  const journal = journalAt(file)
  await fill(journal, 16)
  const before = sizeOf(file)
  expect(await journal.prune({ runs: 14 })).toBe(2)
  expect(await autoVacuum(file)).toBe(0)
  expect(sizeOf(file)).toBeGreaterThanOrEqual(before)
  expect(await journal.prune({ runs: 4 })).toBe(10)
  expect(await autoVacuum(file)).toBe(2)
  expect(sizeOf(file)).toBeLessThan(3_000_000)
  expect(await journal.prune({ runs: 1 })).toBe(3)
  expect(sizeOf(file)).toBeLessThan(1_000_000)
  expect(await journal.read('run15')).toHaveLength(5)
})

test('the log stays small, however much is recorded', async () => {
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
