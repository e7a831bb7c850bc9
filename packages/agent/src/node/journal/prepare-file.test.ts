import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { folderOf } from '../../../../../tests/helpers/folder.ts'
import type { Journal } from '../../journal/journal.ts'
import { startDatabaseThread } from './database-thread.ts'
import { sqliteJournal } from './sqlite-journal.ts'
import { lacks } from '../../../../../tests/helpers/abilities.ts'

function journalAt(file: string): Journal {
  const journal = sqliteJournal({ file })
  onTestFinished(() => journal.close())
  return journal
}
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

test('only its owner can read the journal and the files next to it', async () => {
  const folder = join(folderOf(), 'state', 'toolglot')
  const log = await journalAt(join(folder, 'journal.sqlite')).open('a')
  await log.append({ key: 'k', kind: 'value', value: 1 })
  expect(modeOf(folder)).toBe('700')
  const names = readdirSync(folder)
  expect(names).toContain('journal.sqlite-wal')
  expect(names).toContain('journal.sqlite-shm')
  expect(names.map((name) => modeOf(join(folder, name)))).toEqual(names.map(() => '600'))
})

test('leaves no other files when it is closed', async () => {
  const folder = folderOf()
  const journal = sqliteJournal({ file: join(folder, 'journal.sqlite') })
  await journal.open('a')
  await journal.close()
  expect(readdirSync(folder)).toEqual(['journal.sqlite'])
  await expect(journal.read('a')).rejects.toThrow('was closed')
})

test('concurrent creation makes a single journal', async () => {
  const file = join(folderOf(), 'journal.sqlite')
  const journals = Array.from({ length: 4 }, () => journalAt(file))
  await Promise.all(journals.map((journal, index) => journal.open(`run${index}`)))
  expect(await journals[0]?.runs()).toHaveLength(4)
})

test('makes a journal private if other users can read it', async () => {
  const file = join(folderOf(), 'journal.sqlite')
  await sqliteJournal({ file }).close()
  const first = sqliteJournal({ file })
  await first.runs()
  await first.close()
  chmodSync(file, 0o644)
  await journalAt(file).runs()
  expect(modeOf(file)).toBe('600')
})

test('a folder that everyone can write to is rejected', async () => {
  const folder = join(folderOf(), 'open')
  mkdirSync(folder)
  chmodSync(folder, 0o777)
  await expect(journalAt(join(folder, 'journal.sqlite')).open('a')).rejects.toThrow('chmod go-w')
})

test('links, folders and empty files are rejected', async () => {
  const folder = folderOf({ 'empty.sqlite': '', 'target.sqlite': 'x' })
  symlinkSync(join(folder, 'target.sqlite'), join(folder, 'link.sqlite'))
  mkdirSync(join(folder, 'folder.sqlite'))
  const opening = (name: string): Promise<unknown> => journalAt(join(folder, name)).open('a')
  await expect(opening('link.sqlite')).rejects.toThrow('is not a regular file')
  await expect(opening('folder.sqlite')).rejects.toThrow('is not a regular file')
  await expect(opening('empty.sqlite')).rejects.toMatchObject({ problem: 'corrupt' })
  await expect(opening('empty.sqlite')).rejects.toThrow('remove it to start over')
  await expect(opening('target.sqlite/journal.sqlite')).rejects.toMatchObject({ problem: 'failed' })
})

test('a file that is not a journal is rejected and unchanged', async () => {
  const folder = folderOf({ 'other.sqlite': 'no database '.repeat(1000) })
  const journal = journalAt(join(folder, 'other.sqlite'))
  await expect(journal.open('a')).rejects.toMatchObject({ problem: 'corrupt' })
  expect(statSync(join(folder, 'other.sqlite')).size).toBe(12_000)
})

test.skipIf(await lacks('root'))("rejects another user's journal (needs root)", async () => {
  const file = join(folderOf(), 'journal.sqlite')
  const first = sqliteJournal({ file })
  await first.runs()
  await first.close()
  chownSync(file, 12_345, 12_345)
  await expect(journalAt(file).open('a')).rejects.toThrow('belongs to another user (12345')
})

describe('a journal of another version', () => {
  /** A journal of this version with the run `old`, whose last records exist only in its log. */
  async function journalOf(version: number): Promise<string> {
    const file = join(folderOf(), 'journal.sqlite')
    const journal = sqliteJournal({ file })
    await (await journal.open('old')).append({ key: 'run', kind: 'value', value: 'kept' })
    await journal.close()
    const thread = startDatabaseThread()
    await thread.open(file, `PRAGMA user_version = ${version}`)
    await thread.close()
    return file
  }
  const valuesIn = async (file: string): Promise<unknown> => {
    const thread = startDatabaseThread()
    onTestFinished(() => thread.close())
    await thread.open(file, '')
    return (await thread.all({ sql: 'SELECT value FROM records' })).map(({ value }) => value)
  }

  test.each([1, 2, 99])('%i is moved aside with all its contents', async (version) => {
    const file = await journalOf(version)
    const said: string[] = []
    const journal = sqliteJournal({ file, warn: (message) => said.push(message) })
    onTestFinished(() => journal.close())
    expect(await journal.runs()).toEqual([])
    await (await journal.open('new')).append({ key: 'run', kind: 'value', value: 1 })
    const aside = `${file}.version-${version}`
    expect(said).toEqual([
      `The journal ${file} has version ${version}, but this toolglot uses version 4, so it was moved to ${aside} and a new one was started; nothing was deleted.`,
    ])
    expect(await valuesIn(aside)).toEqual(['"kept"'])
    expect(modeOf(aside)).toBe('600')
    // The next one has no warning.
    expect(await journalAt(file).runs()).toHaveLength(1)
    expect(said).toHaveLength(1)
  })

  test('never replaces one that was moved earlier', async () => {
    const file = await journalOf(2)
    writeFileSync(`${file}.version-2`, 'mine')
    expect(await journalAt(file).runs()).toEqual([])
    expect(readFileSync(`${file}.version-2`, 'utf8')).toBe('mine')
    expect(await valuesIn(`${file}.version-2-2`)).toEqual(['"kept"'])
  })

  test('is moved once, even if many connections open it concurrently', async () => {
    const file = await journalOf(2)
    const said: string[] = []
    const journals = [1, 2, 3].map(() => sqliteJournal({ file, warn: (text) => said.push(text) }))
    onTestFinished(async () => void (await Promise.all(journals.map((each) => each.close()))))
    await Promise.all(journals.map((each, at) => each.open(`run${at}`)))
    expect(await journals[0]!.runs()).toHaveLength(3)
    expect(said).toHaveLength(1)
    expect(readdirSync(join(file, '..')).filter((name) => /\.version-2/.test(name))).toHaveLength(1)
  })

  test('stays in place while another process uses it', async () => {
    const file = await journalOf(2)
    const other = startDatabaseThread()
    onTestFinished(() => other.close())
    await other.open(file, 'PRAGMA journal_mode = WAL')
    await other.all({ sql: 'SELECT * FROM runs' })
    await expect(journalAt(file).runs()).rejects.toMatchObject({ problem: 'busy' })
    expect(await other.all({ sql: 'SELECT run FROM runs' })).toEqual([{ run: 'old' }])
  })

  test('must be a journal: other databases are rejected and unchanged', async () => {
    const file = join(folderOf(), 'other.sqlite')
    const thread = startDatabaseThread()
    await thread.open(file, 'CREATE TABLE mine (a); PRAGMA user_version = 7')
    await thread.close()
    await expect(journalAt(file).runs()).rejects.toThrow('is not a journal')
    expect(readdirSync(join(file, '..'))).toEqual(['other.sqlite'])
  })
})
