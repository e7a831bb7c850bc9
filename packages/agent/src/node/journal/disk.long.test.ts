import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { folderOf } from '../../../../../tests/helpers/folder.ts'
import { type SmallDisk, smallDisk } from '../../../test/small-disk.ts'
import type { Journal } from '../../journal/journal.ts'
import { type CallKey, printKey } from '../../journal/keys.ts'
import { createSteps } from '../../run/resume/steps.ts'
import { sqliteJournal } from './sqlite-journal.ts'
import { lacks } from '../../../../../tests/helpers/abilities.ts'

const cannotMount = await lacks('mount')

function diskOf(kilobytes: number): SmallDisk {
  const disk = smallDisk(kilobytes)
  if (!disk) throw new Error('The disk could be mounted before.')
  onTestFinished(() => disk.remove())
  return disk
}

function journalIn(folder: string): Journal {
  const journal = sqliteJournal({ file: join(folder, 'journal.sqlite') })
  onTestFinished(() => journal.close())
  return journal
}

describe.skipIf(cannotMount)('a full disk', () => {
  test('loses nothing durable, and the run resumes when there is space', async () => {
    const disk = diskOf(1024)
    const log = await journalIn(disk.folder).open('a')
    disk.fill(120)
    const { step } = createSteps(log)
    const done: string[] = []
    let problem: unknown
    for (let at = 0; problem === undefined; at++) {
      const key: CallKey = { type: 'call', turn: 0, call: at }
      const work = async (begin: (about: object) => Promise<void>): Promise<string> => {
        await begin({})
        done.push(printKey(key))
        return 'x'.repeat(5000)
      }
      await step(key, work, async () => 'interrupted').catch((error) => (problem = error))
    }
    expect(problem).toMatchObject({ problem: 'full' })
    expect((problem as Error).message).toMatch(/no space left .* Free some space and resume/)
    const begun = async (): Promise<string[]> =>
      (await journalIn(disk.folder).read('a'))
        .filter(({ kind }) => kind === 'begin')
        .map(({ key }) => key)
    expect(await begun()).toEqual(done)

    disk.free()
    await log.append({ key: 'end/0', kind: 'value', value: { reason: 'storage' } })
    expect(await journalIn(disk.folder).runs()).toMatchObject([{ state: 'finished' }])
  })

  test('with any amount of space left keeps everything reported as durable', async () => {
    for (let left = 0; left <= 160; left += 8) {
      const disk = smallDisk(512)
      if (!disk) throw new Error('The disk could be mounted before.')
      try {
        disk.fill(left)
        const journal = sqliteJournal({ file: join(disk.folder, 'journal.sqlite') })
        const durable: string[] = []
        try {
          const log = await journal.open('a')
          for (let at = 0; at < 20; at++) {
            await log.append({ key: `${at}`, kind: 'value', value: 'x'.repeat(3000) })
            durable.push(`${at}`)
          }
        } catch (error) {
          expect(error, `${left} left`).toMatchObject({ problem: 'full' })
        }
        disk.free()
        await journal.close()
        const again = sqliteJournal({ file: join(disk.folder, 'journal.sqlite') })
        expect((await again.read('a')).map(({ key }) => key)).toEqual(durable)
        await (await again.open('a')).append({ key: 'more', kind: 'value', value: 1 })
        await again.close()
      } finally {
        disk.remove()
      }
    }
  })

  test('a read-only disk is reported, and nothing starts', async () => {
    const disk = diskOf(1024)
    disk.readOnly(true)
    const journal = journalIn(disk.folder)
    await expect(journal.open('a')).rejects.toMatchObject({ problem: 'read_only' })
    await expect(journal.open('a')).rejects.toThrow('Give this user write access')
    disk.readOnly(false)
    await journal.open('a')
  })
})

test.skipIf(await lacks('a user other than root'))('a read-only folder is reported', async () => {
  const folder = folderOf()
  chmodSync(folder, 0o500)
  await expect(journalIn(folder).open('a')).rejects.toMatchObject({ problem: 'read_only' })
  chmodSync(folder, 0o700)
})
