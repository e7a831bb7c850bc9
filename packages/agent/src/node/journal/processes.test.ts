import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { bundleProgram } from '../../../test/kill/bundle.ts'
import { type Place, placeIn, type Started } from '../../../test/kill/process.ts'
import { RUN } from '../../../test/kill/program.ts'
import { type Journal } from '../../journal/journal.ts'
import { sqliteJournal } from './sqlite-journal.ts'
import { startThread } from './thread.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolglot-processes-'))
let program: string
beforeAll(async () => {
  const source = fileURLToPath(new URL('../../../test/kill/waits.ts', import.meta.url))
  program = await bundleProgram(source, folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function journalAt(file: string): Journal {
  const journal = sqliteJournal({ file })
  onTestFinished(() => journal.close())
  return journal
}

/** Another process that has the run open and waits for an answer. */
async function waitingProcess(place: Place, journal: Journal): Promise<Started> {
  const started = place.start()
  onTestFinished(() => void started.child.kill('SIGKILL'))
  await started.ready
  for (;;) {
    const [summary] = await journal.runs()
    if (summary?.state === 'waiting') return started
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test('a second process is refused, even while the first is stopped; a dead one is no hindrance', async () => {
  const place = placeIn(folder, program)
  const journal = journalAt(place.journal)
  const { child, ended } = await waitingProcess(place, journal)
  await expect(journal.open(RUN)).rejects.toMatchObject({ problem: 'busy' })
  await expect(journal.open(RUN)).rejects.toThrow(`is open in process ${child.pid}`)
  await expect(journal.remove(RUN)).rejects.toThrow(`process ${child.pid}`)
  child.kill('SIGSTOP')
  await expect(journal.open(RUN)).rejects.toMatchObject({ problem: 'busy' })
  child.kill('SIGKILL')
  await ended
  const log = await journal.open(RUN)
  expect(log.before).toMatchObject([{ key: 'ok?', kind: 'wait' }])
  await log.close()
  // What the dead process left is tidied up by the next that opens the journal.
  await journalAt(place.journal).runs()
  const names = readdirSync(dirname(place.journal))
  expect(names.filter((name) => name.includes(`-${child.pid}-`))).toEqual([])
})

test('an answer from another process reaches who waits', async () => {
  const place = placeIn(folder, program)
  const journal = journalAt(place.journal)
  const { ended } = await waitingProcess(place, journal)
  expect(await journal.answer(RUN, 'ok?', 'yes')).toBe(true)
  expect(await ended).toMatchObject({ code: 0 })
  expect(place.effects()).toEqual(['answer yes'])
  expect(await journal.answer(RUN, 'ok?', 'no')).toBe(false)
})

test('an answer that comes while nobody is there counts when it goes on', async () => {
  const place = placeIn(folder, program)
  const journal = journalAt(place.journal)
  const { child, ended } = await waitingProcess(place, journal)
  child.kill('SIGKILL')
  await ended
  expect(await journal.runs()).toMatchObject([{ state: 'waiting' }])
  expect(await journal.answer(RUN, 'ok?', 'late')).toBe(true)
  expect(await place.start().ended).toMatchObject({ code: 0 })
  expect(place.effects()).toEqual(['answer late'])
})

test('who lost the run cannot record any more', async () => {
  const place = placeIn(folder, program)
  const journal = journalAt(place.journal)
  const log = await journal.open('a')
  await log.append({ key: 'mine', kind: 'value', value: 1 })
  const other = startThread()
  onTestFinished(() => other.close())
  await other.open(place.journal, '')
  await other.commit([{ sql: "UPDATE runs SET holder = 'another'" }])
  await expect(log.append({ key: 'late', kind: 'value', value: 1 })).rejects.toMatchObject({
    problem: 'busy',
  })
  await log.close()
  expect(await journal.read('a')).toMatchObject([{ key: 'mine' }])
  expect(await other.all({ sql: 'SELECT holder FROM runs' })).toEqual([{ holder: 'another' }])
})

test('a log that is removed while a process writes it is not replaced by another', async () => {
  const place = placeIn(folder, program)
  const first = sqliteJournal({ file: place.journal })
  await first.runs()
  const started = await waitingProcess(place, first)
  await first.close()
  rmSync(`${place.journal}-wal`)
  await expect(journalAt(place.journal).open('b')).rejects.toThrow(
    `while process ${started.child.pid} is using the journal`,
  )
})

test.each(['', '-wal'])('who writes to a file%s that was removed is told', async (end) => {
  const place = placeIn(folder, program)
  const log = await journalAt(place.journal).open('a')
  await log.append({ key: 'kept', kind: 'value', value: 1 })
  rmSync(`${place.journal}${end}`)
  const late = log.append({ key: 'late', kind: 'value', value: 1 })
  await expect(late).rejects.toMatchObject({ problem: 'failed' })
  await expect(log.append({ key: 'later', kind: 'value', value: 1 })).rejects.toThrow('removed')
})
