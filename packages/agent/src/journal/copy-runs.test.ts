import { expect, test } from 'vitest'
import { type CopiedRun, copyRuns } from './copy-runs.ts'
import { memoryJournal } from './memory-journal.ts'
import type { Journal, JournalRecord } from './journal.ts'

const value = (key: string, content: unknown = key): Omit<JournalRecord, 'time'> => ({
  key,
  kind: 'value',
  value: content,
})

async function record(journal: Journal, run: string, ...records: Omit<JournalRecord, 'time'>[]) {
  const log = await journal.open(run)
  for (const each of records) await log.append(each)
  await log.close()
}

async function all(copying: AsyncGenerator<CopiedRun>): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for await (const { run, status, reason } of copying) found[run] = reason ?? status
  return found
}

test('runs are copied once and unchanged; unfinished ones are moved or left', async () => {
  const [from, to] = [memoryJournal(), memoryJournal()]
  const end = value('end/0', { reason: 'answer' })
  await record(from, 'ended', value('run', {}), { key: 'x', kind: 'wait', value: 1 }, end)
  await from.rename('ended', 'A name')
  await record(from, 'open', value('run', {}), value('turn/0'))
  await record(from, 'other', value('run', { one: 1 }), end)
  await record(to, 'other', value('run', { two: 2 }), end)
  const held = await from.open('held')
  await held.append(value('run', {}))
  const records = await from.read('ended')

  const reason = 'there is another run with this id'
  expect(await all(copyRuns(from, to))).toEqual({
    ended: 'copied',
    open: 'it has not ended',
    other: reason,
    held: 'it has not ended',
  })
  expect(await to.read('ended')).toEqual(records)
  expect(await to.runs({ run: 'ended' })).toMatchObject([{ name: 'A name', imported: false }])
  const again = await all(copyRuns(from, to, { unfinished: true }))
  expect(again).toMatchObject({ ended: 'present', open: 'moved', other: reason })
  expect(again['held']).toContain('is already open')
  expect(await from.read('open')).toEqual([])
  // The run continues in the new journal.
  await record(to, 'open', value('turn/1'))
  await expect(held.append(value('turn/0'))).resolves.toMatchObject({ key: 'turn/0' })
})

test.each([{ key: 'other' }, { kind: 'begin' }, { time: 2 }, { value: { two: 2 } }] as const)(
  'a run with a different %j in the target journal is a different run',
  async (changes) => {
    const [from, to] = [memoryJournal(), memoryJournal()]
    const one: JournalRecord = { ...value('run', {}), time: 1 }
    const end: JournalRecord = { ...value('end/0', { reason: 'answer' }), time: 3 }
    await from.add({ run: 'a', records: [one, end] })
    await to.add({ run: 'a', records: [{ ...one, ...changes }, end] })
    expect(await all(copyRuns(from, to))).toEqual({ a: 'there is another run with this id' })
    expect(await from.read('a')).toEqual([one, end])
  },
)

test('a run that was copied but not deleted is deleted the next time', async () => {
  const [from, to] = [memoryJournal(), memoryJournal()]
  await record(from, 'a', value('run', {}))
  await to.add({ run: 'a', records: await from.read('a'), imported: false })
  await record(to, 'a', value('turn/0'))
  expect(await all(copyRuns(from, to, { unfinished: true }))).toEqual({ a: 'moved' })
  expect((await to.read('a')).map(({ key }) => key)).toEqual(['run', 'turn/0'])
  expect(await from.read('a')).toEqual([])
})

test('an imported run stays imported, and a running run stays with its process', async () => {
  const [from, to] = [memoryJournal(), memoryJournal()]
  await from.add({ run: 'imported', records: [{ ...value('run', {}), time: 1 } as JournalRecord] })
  await record(from, 'raced', value('run', {}))
  const racing: Journal = {
    ...from,
    async remove(run) {
      if (run === 'raced') await from.open(run)
      return from.remove(run)
    },
  }
  const copied = await all(copyRuns(racing, to, { unfinished: true }))
  expect(copied).toMatchObject({ imported: 'moved', raced: expect.stringContaining('is open') })
  expect(await to.runs()).toMatchObject([{ run: 'imported', imported: true }])
})
