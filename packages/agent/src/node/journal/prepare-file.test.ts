import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { folderOf } from '../../../../../tests/helpers/folder.ts'
import type { Journal } from '../../journal/journal.ts'
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

test('no other files are left when it is closed', async () => {
  const folder = folderOf()
  const journal = sqliteJournal({ file: join(folder, 'journal.sqlite') })
  await journal.open('a')
  await journal.close()
  expect(readdirSync(folder)).toEqual(['journal.sqlite'])
  await expect(journal.read('a')).rejects.toThrow('was closed')
})

test('creating it several times at once makes one journal', async () => {
  const file = join(folderOf(), 'journal.sqlite')
  const journals = Array.from({ length: 4 }, () => journalAt(file))
  await Promise.all(journals.map((journal, index) => journal.open(`run${index}`)))
  expect(await journals[0]?.runs()).toHaveLength(4)
})

test('a journal that others can read is made private', async () => {
  const file = join(folderOf(), 'journal.sqlite')
  await sqliteJournal({ file }).close()
  const first = sqliteJournal({ file })
  await first.runs()
  await first.close()
  chmodSync(file, 0o644)
  await journalAt(file).runs()
  expect(modeOf(file)).toBe('600')
})

test('a folder that everyone can write to is refused', async () => {
  const folder = join(folderOf(), 'open')
  mkdirSync(folder)
  chmodSync(folder, 0o777)
  await expect(journalAt(join(folder, 'journal.sqlite')).open('a')).rejects.toThrow('chmod go-w')
})

test('links, folders and empty files are refused', async () => {
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

test('a file that is not a journal is refused and unchanged', async () => {
  const folder = folderOf({ 'other.sqlite': 'no database '.repeat(1000) })
  const journal = journalAt(join(folder, 'other.sqlite'))
  await expect(journal.open('a')).rejects.toMatchObject({ problem: 'corrupt' })
  expect(statSync(join(folder, 'other.sqlite')).size).toBe(12_000)
})

test.skipIf(await lacks('root'))("another user's journal is refused (needs root)", async () => {
  const file = join(folderOf(), 'journal.sqlite')
  const first = sqliteJournal({ file })
  await first.runs()
  await first.close()
  chownSync(file, 12_345, 12_345)
  await expect(journalAt(file).open('a')).rejects.toThrow('belongs to another user (12345')
})
