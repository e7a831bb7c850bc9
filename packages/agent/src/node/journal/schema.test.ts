import { statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { folderOf } from '../../../test/folder.ts'
import { bundleProgram } from '../../../test/kill/bundle.ts'
import { createKillCase } from '../../../test/kill/process.ts'
import { upgrade } from './schema.ts'
import { sqliteJournal } from './sqlite-journal.ts'
import { startDatabaseThread, type DatabaseThread } from './database-thread.ts'

async function databaseAt(file: string): Promise<DatabaseThread> {
  const thread = startDatabaseThread()
  onTestFinished(() => thread.close())
  await thread.open(file, '')
  return thread
}
const one = ['CREATE TABLE one (a)']
const two = ['CREATE TABLE two (a)', 'INSERT INTO two SELECT a FROM one', 'DROP TABLE one']

async function shape(thread: DatabaseThread): Promise<unknown> {
  const tables = await thread.all({ sql: 'SELECT name FROM sqlite_schema' })
  const [version] = await thread.all({ sql: 'PRAGMA user_version' })
  return [version?.['user_version'], tables.map(({ name }) => name)]
}

test('an upgrade is atomic', async () => {
  const thread = await databaseAt(join(folderOf(), 'a.sqlite'))
  await upgrade(thread, 'a.sqlite', [one])
  await thread.commit([{ sql: 'INSERT INTO one VALUES (1)' }])
  await expect(
    upgrade(thread, 'a.sqlite', [one, [...two, 'INSERT INTO nowhere VALUES (1)']]),
  ).rejects.toThrow('nowhere')
  expect(await shape(thread)).toEqual([1, ['one']])
  await upgrade(thread, 'a.sqlite', [one, two])
  expect(await shape(thread)).toEqual([2, ['two']])
  expect(await thread.all({ sql: 'SELECT a FROM two' })).toEqual([{ a: 1 }])
})

test('a killed upgrade leaves the old version', async () => {
  const folder = folderOf()
  const source = fileURLToPath(new URL('../../../test/kill/upgrades.ts', import.meta.url))
  const killCase = createKillCase(folder, await bundleProgram(source, folder))
  const { child, ended } = killCase.start()
  onTestFinished(() => void child.kill('SIGKILL'))
  // Until much of the new version is written.
  const log = `${killCase.journal}-wal`
  while ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) < 1_000_000)
    await new Promise((resolve) => setTimeout(resolve, 10))
  child.kill('SIGKILL')
  expect(await ended).toMatchObject({ signal: 'SIGKILL' })
  expect(killCase.effects()).toEqual(['upgraded to 1'])
  const thread = await databaseAt(killCase.journal)
  expect(await shape(thread)).toEqual([1, ['one']])
  expect(await thread.all({ sql: 'SELECT a FROM one' })).toEqual([{ a: 'old' }])
})

test('two processes can upgrade at the same time', async () => {
  const file = join(folderOf(), 'a.sqlite')
  const [here, there] = [await databaseAt(file), await databaseAt(file)]
  await upgrade(here, file, [one])
  await Promise.all([upgrade(here, file, [one, two]), upgrade(there, file, [one, two])])
  expect(await shape(here)).toEqual([2, ['two']])
})

test('a newer journal is refused and unchanged', async () => {
  const file = join(folderOf(), 'journal.sqlite')
  const first = sqliteJournal({ file })
  await first.runs()
  await first.close()
  const thread = await databaseAt(file)
  await thread.commit([{ sql: 'PRAGMA user_version = 99' }])
  const journal = sqliteJournal({ file })
  onTestFinished(() => journal.close())
  await expect(journal.open('a')).rejects.toMatchObject({ problem: 'newer' })
  await expect(journal.open('a')).rejects.toThrow('newer toolglot (version 99; this one knows 1)')
  expect(await thread.all({ sql: 'PRAGMA user_version' })).toEqual([{ user_version: 99 }])
})
