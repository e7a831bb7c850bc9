import { copyFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { folderOf } from '../../../../../tests/helpers/folder.ts'
import { bundleProgram } from '../../../test/kill/bundle.ts'
import { createKillCase } from '../../../test/kill/process.ts'
import { upgrade, VERSIONS } from './schema.ts'
import { sqliteJournal } from './sqlite-journal.ts'
import { startDatabaseThread, type DatabaseThread } from './database-thread.ts'
import { until } from '../../../../../tests/helpers/until.ts'
import { longTest } from '../../../../../tests/helpers/size.ts'

async function databaseAt(file: string): Promise<DatabaseThread> {
  const thread = startDatabaseThread()
  onTestFinished(() => thread.close())
  await thread.open(file, '')
  return thread
}
const one = ['CREATE TABLE one (a)']
const two = ['CREATE TABLE two (a)', 'INSERT INTO two SELECT a FROM one', 'DROP TABLE one']

async function shape(thread: DatabaseThread): Promise<[version: unknown, tables: unknown[]]> {
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
  await until(() => (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 1_000_000)
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

test.each([3, 99])('a newer journal, of version %i, is refused and unchanged', async (version) => {
  const file = join(folderOf(), 'journal.sqlite')
  const first = sqliteJournal({ file })
  await first.runs()
  await first.close()
  const thread = await databaseAt(file)
  await thread.commit([{ sql: `PRAGMA user_version = ${version}` }])
  const journal = sqliteJournal({ file })
  onTestFinished(() => journal.close())
  await expect(journal.open('a')).rejects.toMatchObject({ problem: 'newer' })
  await expect(journal.open('a')).rejects.toThrow(
    `newer toolglot (version ${version}; this one knows 2)`,
  )
  expect(await thread.all({ sql: 'PRAGMA user_version' })).toEqual([{ user_version: version }])
})

describe('a journal of version 1', () => {
  const recorded = new URL(
    '../../../../cli/test/fixtures/on-disk-0.1/home/.local/state/toolglot/journal.sqlite',
    import.meta.url,
  )

  test('has folders, protocols and usages after the upgrade, and its runs can be resumed', async () => {
    const file = join(folderOf(), 'journal.sqlite')
    copyFileSync(recorded, file)
    const journal = sqliteJournal({ file })
    onTestFinished(() => journal.close())
    const runs = await journal.runs()
    const facts = runs.map(({ name, folder, protocol, usage, turns }) => [
      name,
      folder,
      protocol,
      usage.input,
      usage.output,
      turns,
    ])
    const folder = '/tmp/toolglot-fixture/work'
    expect(facts).toEqual([
      ['asked', folder, 'hermes', 400, 40, 4],
      ['waiting', folder, 'hermes', 100, 10, 1],
      ['interrupted', folder, 'hermes', 100, 10, 1],
      // A turn and a final reply.
      ['native', folder, 'native', 200, 20, 1],
      ['approved', folder, 'hermes', 300, 30, 3],
      ['answered', folder, 'hermes', 600, 60, 6],
    ])
    for (const { usage, owner, forkOf, run } of runs) {
      expect({ owner, forkOf, names: Object.keys(usage) }).toEqual({ names: ['input', 'output'] })
      expect((await journal.read(run)).length).toBeGreaterThan(2)
    }
    const [request] = await journal.waiting()
    expect(request).toMatchObject({
      type: 'approval',
      key: 'turn/0/call/0/approval/5c2e71b5fb511eaa',
      call: 'turn-0-0',
      tool: 'Write',
      args: { file_path: 'late.txt', content: 'late\n' },
    })
    const log = await journal.open(request!.run)
    await journal.send(request!.run, 'hello')
    await journal.answer(request!.run, request!.key, { verdict: 'allow' })
    const usage = { input: 1, output: 1, cost: 2 }
    await log.append({ key: 'turn/1', kind: 'value', value: { usage } })
    expect(await journal.runs({ search: 'waiting' })).toMatchObject([
      { usage: { input: 101, output: 11, cost: 2 }, turns: 2 },
    ])
  })

  test('is upgraded to what the same records say today, however odd they are', async () => {
    const file = join(folderOf(), 'journal.sqlite')
    const values: [key: string, value: unknown][] = [
      ['run', { cwd: '/one', protocol: 'hermes' }],
      ['run/1', { cwd: 5, protocol: 'native' }],
      ['run/x', { cwd: '/x' }],
      ['turn/0', { usage: { input: 10, output: 1, cached: 4, cost: 0.25 } }],
      ['turn/1', { usage: { input: -1, output: 'x', reasoning: 3, estimated: true } }],
      ['turn/2', { usage: 'none' }],
      ['turn/3', null],
      ['turn/4', [1]],
      ['turn/0/call/0', { usage: { input: 1000, output: 1 } }],
      ['turn/x', { usage: { input: 1000, output: 1 } }],
      ['compact/1/again/summary', { usage: { input: 7, output: 1e300 } }],
      ['final/0', { usage: { input: 40, output: 4 } }],
    ]
    const now = sqliteJournal({ file: join(folderOf(), 'journal.sqlite') })
    onTestFinished(() => now.close())
    const log = await now.open('a')
    for (const [key, value] of values) await log.append({ key, kind: 'value', value })

    const thread = await databaseAt(file)
    await upgrade(thread, file, VERSIONS.slice(0, 1))
    await thread.commit([
      { sql: "INSERT INTO runs (run, started, last) VALUES ('a', 5, 5), ('damaged', 4, 4)" },
      ...values.map(([key, value], index) => ({
        sql: "INSERT INTO records VALUES ('a', :index, :key, 'value', :value, 5, '')",
        values: { index, key, value: JSON.stringify(value) },
      })),
      {
        sql: `INSERT INTO records VALUES ('damaged', 1, 'run', 'value', '{"cwd', 5, ''),
        ('damaged', 2, 'turn/0', 'value', '{"usage":', 5, '')`,
      },
    ])
    await upgrade(thread, file)
    const old = sqliteJournal({ file })
    onTestFinished(() => old.close())
    const [upgraded, damaged] = await old.runs()
    const [expected] = await now.runs()
    expect(expected?.usage).toEqual({
      input: 57,
      output: 5,
      cached: 4,
      reasoning: 3,
      cost: 0.25,
      estimated: true,
    })
    for (const field of ['folder', 'protocol', 'owner', 'forkOf', 'usage'] as const)
      expect([field, upgraded?.[field]]).toEqual([field, expected?.[field]])
    expect(damaged).toMatchObject({ usage: { input: 0, output: 0 } })
    expect(damaged?.folder).toBeUndefined()
  })

  longTest('stays one if its upgrade is killed', async () => {
    const folder = folderOf()
    const source = fileURLToPath(new URL('../../../test/kill/migrates.ts', import.meta.url))
    const killCase = createKillCase(folder, await bundleProgram(source, folder))
    const { child, ended } = killCase.start()
    onTestFinished(() => void child.kill('SIGKILL'))
    // Until much of the new version is written.
    const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0
    const log = `${killCase.journal}-wal`
    while (sizeOf(killCase.effectsFile) === 0 || sizeOf(log) < 500_000)
      await new Promise((resolve) => setTimeout(resolve, 1))
    child.kill('SIGKILL')
    expect(await ended).toMatchObject({ signal: 'SIGKILL' })
    expect(killCase.effects()).toEqual(['version 1'])
    const thread = await databaseAt(killCase.journal)
    const [version, tables] = await shape(thread)
    expect(version).toBe(1)
    expect(tables).not.toContain('upkeep')
    const columns = await thread.all({ sql: "SELECT name FROM pragma_table_info('runs')" })
    expect(columns).not.toContainEqual({ name: 'folder' })
    const journal = sqliteJournal({ file: killCase.journal })
    onTestFinished(() => journal.close())
    expect(await journal.runs({ search: 'r59999' })).toMatchObject([
      { folder: '/work', usage: { input: 2, output: 1 } },
    ])
  })
})
