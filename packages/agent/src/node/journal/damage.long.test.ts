import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { bundleProgram } from '../../../test/kill/bundle.ts'
import { createKillCase } from '../../../test/kill/process.ts'
import { RUN } from '../../../test/kill/program.ts'
import { folderOf, sharedFolderOf } from '../../../../../tests/helpers/folder.ts'
import type { Journal } from '../../journal/journal.ts'
import { sqliteJournal } from './sqlite-journal.ts'

function journalAt(file: string): Journal {
  const journal = sqliteJournal({ file })
  onTestFinished(() => journal.close())
  return journal
}

/** Flips one bit in the last occurrence of a string in a file. */
function flip(file: string, text: string): void {
  const bytes = readFileSync(file)
  const at = bytes.lastIndexOf(text)
  expect(at).toBeGreaterThan(0)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(file, bytes)
}

describe('a damaged record', () => {
  async function threeRecords(file: string): Promise<void> {
    const journal = sqliteJournal({ file })
    for (const run of ['damaged', 'sound']) {
      const log = await journal.open(run)
      for (const step of ['first', 'second', 'third'])
        await log.append({ key: step, kind: 'value', value: `${run} ${step}` })
    }
    await journal.close()
  }

  test.each(['first', 'third'])(
    'that is the %s of its run: the run cannot be resumed, but others can',
    async (step) => {
      const file = join(folderOf(), 'journal.sqlite')
      await threeRecords(file)
      flip(file, `damaged ${step}`)
      const journal = journalAt(file)
      await expect(journal.open('damaged')).rejects.toMatchObject({ problem: 'corrupt' })
      await expect(journal.read('damaged')).rejects.toThrow(
        /Record \d of the run damaged is damaged/,
      )
      const states = (await journal.runs()).map(({ run, state }) => [run, state])
      expect(states).toEqual([
        ['sound', 'interrupted'],
        ['damaged', 'corrupt'],
      ])
      const log = await journal.open('sound')
      expect(log.before.map(({ key }) => key)).toEqual(['first', 'second', 'third'])
      await log.append({ key: 'fourth', kind: 'value', value: 1 })
      expect(await journal.remove('damaged')).toBe(true)
    },
  )

  test('a page that SQLite cannot read is reported', async () => {
    const file = join(folderOf(), 'journal.sqlite')
    await threeRecords(file)
    const bytes = readFileSync(file)
    bytes.fill(0xff, 4096)
    writeFileSync(file, bytes)
    await expect(journalAt(file).open('sound')).rejects.toMatchObject({ problem: 'corrupt' })
  })
})

describe('after a process was killed', () => {
  const folder = sharedFolderOf()
  let program: string
  beforeAll(async () => {
    const source = fileURLToPath(new URL('../../../test/kill/two-turns.ts', import.meta.url))
    program = await bundleProgram(source, folder)
  })

  /** A journal with a finished run and an interrupted one. */
  async function killed(): Promise<string> {
    const killCase = createKillCase(folder, program)
    const journal = sqliteJournal({ file: killCase.journal })
    const log = await journal.open('finished')
    await log.append({ key: 'end/0', kind: 'value', value: { reason: 'answer' } })
    await journal.close()
    expect(await killCase.start(28).ended).toMatchObject({ signal: 'SIGKILL' })
    expect(statSync(`${killCase.journal}-wal`).size).toBeGreaterThan(0)
    return killCase.journal
  }
  const harms: Record<string, (file: string) => void> = {
    'its log is removed': (file) => rmSync(`${file}-wal`),
    'its log is empty': (file) => truncateSync(`${file}-wal`),
    'the end of its log is missing': (file) =>
      truncateSync(`${file}-wal`, statSync(`${file}-wal`).size - 100),
    'the beginning of its log is damaged': (file) => {
      const bytes = readFileSync(`${file}-wal`)
      bytes.fill(0, 8, 20)
      writeFileSync(`${file}-wal`, bytes)
    },
    'a bit of the last record is flipped': (file) => flip(`${file}-wal`, 'turn/1/call/1'),
  }

  test.each(Object.keys(harms))(
    '%s: the run cannot be resumed, and finished runs are unchanged',
    async (harm) => {
      const file = await killed()
      harms[harm]?.(file)
      const warnings: string[] = []
      const first = sqliteJournal({ file, warn: (message) => warnings.push(message) })
      const unfinished = (await first.runs()).filter(({ run }) => run === RUN)
      expect(warnings).toEqual([expect.stringContaining('removed or damaged')])
      // Without the log, the run that started in it is lost.
      expect(unfinished).toHaveLength(harm.includes('end of') || harm.includes('last') ? 1 : 0)
      if (unfinished.length > 0) {
        expect(unfinished).toMatchObject([{ state: 'corrupt' }])
        await expect(first.open(RUN)).rejects.toThrow('may be lost')
      }
      await first.close()
      const again = journalAt(file)
      expect(await again.runs({ search: 'finished' })).toMatchObject([{ state: 'finished' }])
      expect(await again.read('finished')).toHaveLength(1)
      await (await again.open('new')).append({ key: 'k', kind: 'value', value: 1 })
    },
  )

  test('a run with only its start left cannot be resumed', async () => {
    const killCase = createKillCase(folder, program)
    expect(await killCase.start(12).ended).toMatchObject({ signal: 'SIGKILL' })
    // Closing the journal checkpoints the log into the database.
    const between = sqliteJournal({ file: killCase.journal })
    expect(await between.runs()).toMatchObject([{ state: 'interrupted' }])
    await between.close()
    expect(await killCase.start(12).ended).toMatchObject({ signal: 'SIGKILL' })
    rmSync(`${killCase.journal}-wal`)
    const journal = journalAt(killCase.journal)
    expect(await journal.runs()).toMatchObject([{ run: RUN, state: 'corrupt' }])
    await expect(journal.open(RUN)).rejects.toMatchObject({ problem: 'corrupt' })
  })

  test('after pruning, the run is intact, and a lost log is noticed', async () => {
    const source = fileURLToPath(new URL('../../../test/kill/prunes.ts', import.meta.url))
    const prunes = await bundleProgram(source, folderOf())
    const [kept, lost] = [createKillCase(folder, prunes), createKillCase(folder, prunes)]
    for (const each of [kept, lost])
      expect(await each.start().ended).toMatchObject({ signal: 'SIGKILL' })
    const warnings: string[] = []
    const journal = sqliteJournal({ file: kept.journal, warn: (text) => warnings.push(text) })
    onTestFinished(() => journal.close())
    expect((await journal.open(RUN)).before.map(({ key }) => key)).toEqual(['before', 'after'])
    expect(await journal.runs()).toHaveLength(1)
    expect(warnings).toEqual([])
    truncateSync(`${lost.journal}-wal`)
    await expect(journalAt(lost.journal).open(RUN)).rejects.toThrow('may be lost')
  })

  test('a run that was only killed is intact', async () => {
    const journal = journalAt(await killed())
    expect((await journal.runs()).map(({ state }) => state)).toEqual(['interrupted', 'finished'])
    expect((await journal.open(RUN)).before.length).toBeGreaterThan(5)
  })
})
