import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { sharedFolderOf } from '../../../../../tests/helpers/folder.ts'
import { bundleProgram } from '../../../test/kill/bundle.ts'
import { type KillCase, createKillCase, type StartedProgram } from '../../../test/kill/process.ts'
import { RUN } from '../../../test/kill/program.ts'
import { type Journal } from '../../journal/journal.ts'
import { sqliteJournal } from './sqlite-journal.ts'
import { startDatabaseThread } from './database-thread.ts'
import { until } from '../../../../../tests/helpers/until.ts'

const folder = sharedFolderOf()
let program: string
let listener: string
let truncater: string
let recorder: string
beforeAll(async () => {
  const bundle = (source: URL): Promise<string> =>
    bundleProgram(fileURLToPath(source), mkdtempSync(join(folder, 'program-')))
  program = await bundle(new URL('../../../test/kill/waits.ts', import.meta.url))
  listener = await bundle(new URL('../../../test/kill/listens.ts', import.meta.url))
  recorder = await bundle(new URL('../../../test/kill/records.ts', import.meta.url))
  truncater = await bundle(new URL('../../../test/kill/truncates.ts', import.meta.url))
})

function journalAt(file: string): Journal {
  const journal = sqliteJournal({ file })
  onTestFinished(() => journal.close())
  return journal
}

/** Starts another process that opens the run and waits for an answer. */
async function waitingProcess(killCase: KillCase, journal: Journal): Promise<StartedProgram> {
  const started = killCase.start()
  onTestFinished(() => void started.child.kill('SIGKILL'))
  await started.ready
  await until(
    () => journal.runs(),
    ([summary]) => summary?.state === 'waiting',
  )
  return started
}

test('a second process is rejected while the first one lives, even if that is suspended', async () => {
  const killCase = createKillCase(folder, program)
  const journal = journalAt(killCase.journal)
  const { child, ended } = await waitingProcess(killCase, journal)
  await expect(journal.open(RUN)).rejects.toMatchObject({ problem: 'busy' })
  await expect(journal.open(RUN)).rejects.toThrow(`is open in process ${child.pid}`)
  await expect(journal.remove(RUN)).rejects.toThrow(`process ${child.pid}`)
  child.kill('SIGSTOP')
  await expect(journal.open(RUN)).rejects.toMatchObject({ problem: 'busy' })
  child.kill('SIGKILL')
  await ended
  const log = await journal.open(RUN)
  expect(log.before).toMatchObject([{ key: 'changed/ok', kind: 'wait' }])
  await log.close()
  // The next process to open the journal removes the lock file of the dead one.
  await journalAt(killCase.journal).runs()
  const names = readdirSync(dirname(killCase.journal))
  expect(names.filter((name) => name.includes(`-${child.pid}-`))).toEqual([])
})

test('an answer from another process reaches the waiting one', async () => {
  const killCase = createKillCase(folder, program)
  const journal = journalAt(killCase.journal)
  const { ended } = await waitingProcess(killCase, journal)
  expect(await journal.waiting()).toMatchObject([{ run: RUN, key: 'changed/ok' }])
  await journal.answer(RUN, 'changed/ok', 'yes')
  await expect(journal.answer(RUN, 'changed/ok', 'no')).rejects.toMatchObject({
    problem: expect.stringMatching(/not_pending|ended/),
  })
  expect(await ended).toMatchObject({ code: 0 })
  expect(killCase.effects()).toEqual(['answer yes'])
  await expect(journal.answer(RUN, 'changed/ok', 'no')).rejects.toMatchObject({ problem: 'ended' })
})

test('an answer that arrives while no process is running is used after resuming', async () => {
  const killCase = createKillCase(folder, program)
  const journal = journalAt(killCase.journal)
  const { child, ended } = await waitingProcess(killCase, journal)
  child.kill('SIGKILL')
  await ended
  expect(await journal.runs()).toMatchObject([{ state: 'waiting' }])
  await journal.answer(RUN, 'changed/ok', 'late')
  expect(await killCase.start().ended).toMatchObject({ code: 0 })
  expect(killCase.effects()).toEqual(['answer late'])
})

/** Starts another process that opens the run and reads messages. */
async function listeningProcess(killCase: KillCase, journal: Journal): Promise<StartedProgram> {
  const started = killCase.start()
  onTestFinished(() => void started.child.kill('SIGKILL'))
  await until(
    () => journal.runs(),
    ([summary]) => summary?.state === 'running',
  )
  return started
}

test('messages and stop orders from another process reach the run', async () => {
  const killCase = createKillCase(folder, listener)
  const journal = journalAt(killCase.journal)
  const { ended } = await listeningProcess(killCase, journal)
  await journal.send(RUN, 'one')
  await journal.send(RUN, 'two')
  const count = (await journal.read(RUN)).length
  expect(await journal.stop(RUN)).toBe(true)
  await journal.changed(RUN, count + 1, new AbortController().signal)
  expect(await ended).toMatchObject({ code: 0 })
  expect(killCase.effects()).toEqual(['message one', 'message two', 'stopped'])
  expect((await journal.read(RUN)).map(({ key }) => key)).toEqual([
    'message/0',
    'message/1',
    'message/2',
    'end/0',
  ])
  expect(await journal.stop(RUN)).toBe(false)
})

test('a run whose process died ends when it is stopped', async () => {
  const killCase = createKillCase(folder, listener)
  const journal = journalAt(killCase.journal)
  const { child, ended } = await listeningProcess(killCase, journal)
  child.kill('SIGSTOP')
  await journal.send(RUN, 'unread')
  expect(await journal.stop(RUN)).toBe(true)
  expect(await journal.runs()).toMatchObject([{ state: 'running' }])
  child.kill('SIGKILL')
  await ended
  expect(await journal.stop(RUN)).toBe(true)
  expect(await journal.runs()).toMatchObject([{ state: 'finished', reason: 'cancelled' }])
  expect(killCase.effects()).toEqual([])
})

test('waiting for messages alone does not keep a process alive', async () => {
  const killCase = createKillCase(folder, listener)
  const journal = journalAt(killCase.journal)
  vi.stubEnv('IDLE', '1')
  onTestFinished(() => void vi.unstubAllEnvs())
  // Node's exit code if nothing is left that could settle a pending top-level await.
  expect(await killCase.start().ended).toMatchObject({ code: 13 })
  expect(await journal.runs()).toMatchObject([{ state: 'interrupted' }])
})

test('a process that lost its hold on the run cannot record', async () => {
  const killCase = createKillCase(folder, program)
  const journal = journalAt(killCase.journal)
  const log = await journal.open('a')
  await log.append({ key: 'mine', kind: 'value', value: 1 })
  const other = startDatabaseThread()
  onTestFinished(() => other.close())
  await other.open(killCase.journal, '')
  await other.commit([{ sql: "UPDATE runs SET holder = 'another'" }])
  await expect(log.append({ key: 'late', kind: 'value', value: 1 })).rejects.toMatchObject({
    problem: 'busy',
  })
  await log.close()
  expect(await journal.read('a')).toMatchObject([{ key: 'mine' }])
  expect(await other.all({ sql: 'SELECT holder FROM runs' })).toEqual([{ holder: 'another' }])
})

test('a log removed while a process uses it is not replaced', async () => {
  const killCase = createKillCase(folder, program)
  const first = sqliteJournal({ file: killCase.journal })
  await first.runs()
  const started = await waitingProcess(killCase, first)
  await first.close()
  rmSync(`${killCase.journal}-wal`)
  await expect(journalAt(killCase.journal).open('b')).rejects.toThrow(
    `while process ${started.child.pid} is using the journal`,
  )
})

test('a log emptied by another process does not count as removed', async () => {
  const killCase = createKillCase(folder, truncater)
  const first = sqliteJournal({ file: killCase.journal })
  await listeningProcess(killCase, first)
  await first.close()
  for (let times = 0; times < 20; times++) {
    const journal = sqliteJournal({ file: killCase.journal })
    expect(await journal.runs()).toMatchObject([{ run: RUN, state: 'running' }])
    await journal.close()
  }
})

test.each(['', '-wal'])('writing to a removed file%s fails', async (suffix) => {
  const killCase = createKillCase(folder, program)
  const log = await journalAt(killCase.journal).open('a')
  await log.append({ key: 'kept', kind: 'value', value: 1 })
  rmSync(`${killCase.journal}${suffix}`)
  const late = log.append({ key: 'late', kind: 'value', value: 1 })
  await expect(late).rejects.toMatchObject({ problem: 'failed' })
  await expect(log.append({ key: 'later', kind: 'value', value: 1 })).rejects.toThrow('removed')
})

test('a journal of another version is moved once, however many processes open it', async () => {
  for (let round = 0; round < 4; round++) {
    const killCase = createKillCase(folder, recorder)
    const before = sqliteJournal({ file: killCase.journal })
    await (await before.open('old')).append({ key: 'run', kind: 'value', value: 1 })
    await before.close()
    const thread = startDatabaseThread()
    await thread.open(killCase.journal, 'PRAGMA user_version = 3')
    await thread.close()
    const ends = await Promise.all([1, 2, 3, 4].map(() => killCase.start().ended))
    expect(ends.filter(({ code }) => code !== 0)).toEqual([])
    expect(killCase.effects()).toHaveLength(4)
    expect(await journalAt(killCase.journal).runs()).toHaveLength(4)
    const names = readdirSync(dirname(killCase.journal))
    expect(names.filter((name) => name.includes('version-3'))).toEqual(['journal.sqlite.version-3'])
  }
})
