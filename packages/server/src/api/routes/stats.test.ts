import {
  type Journal,
  type JournalRecord,
  journalStatistics,
  memoryJournal,
} from '@toolglot/agent/journal'
import { expect, test, vi } from 'vitest'
import { folderOf } from '../../../../../tests/helpers/folder.ts'
import { addRuns } from '../../../test/add-runs.ts'
import { apiClient } from '../../../test/api-client.ts'
import { createStatisticsCache } from '../services.ts'
import { showStatistics } from './stats.ts'
import { showStatus } from './status.ts'

const DAY = 86_400_000

/** The records of a run with one turn, one call and its outcome. */
function recordsOf(cwd: string, time: number, tool = 'Read'): JournalRecord[] {
  const value = (key: string, content: object): JournalRecord => ({
    key,
    kind: 'value',
    value: content,
    time,
  })
  const call = { id: 'call_1', name: tool, args: {}, repairs: ['quotes'] }
  return [
    value('run', {
      cwd,
      model: 'ollama/one',
      protocol: 'hermes',
      messages: [{ role: 'user', content: 'x' }],
    }),
    value('turn/0', {
      content: 'x',
      segments: [{ type: 'call', span: [0, 1], call }],
      usage: { input: 10, output: 5 },
      duration: 30,
    }),
    value('turn/0/call/0', { status: 'success', duration: 20, started: time }),
    value('end/0', { reason: 'done' }),
  ]
}

test('counts by tool, model, protocol and day, without imported runs', async () => {
  const client = await apiClient()
  const { folder, call } = client
  const other = folderOf()
  const now = Date.now()
  await addRuns(client, {
    one: recordsOf(folder, now),
    two: recordsOf(other, now - 3 * DAY, 'Bash'),
    imported: recordsOf(folder, now, 'Edit'),
  })
  const all = await call(showStatistics)
  expect(all).toMatchObject({
    runs: 2,
    unreadable: [],
    ends: [{ name: 'done', count: 2 }],
    tools: [
      { name: 'Bash', calls: 1, succeeded: 1, duration: { count: 1, max: 20 } },
      { name: 'Read', calls: 1 },
    ],
    models: [{ name: 'ollama/one', turns: 2, usage: { input: 20, output: 10 }, repaired: 2 }],
    protocols: [{ name: 'hermes', repairs: [{ name: 'quotes', count: 2 }] }],
  })
  expect(all.days).toHaveLength(2)
  expect(all).not.toHaveProperty('since')

  const today = await call(showStatistics, { query: { days: '1' } })
  expect(today).toMatchObject({ runs: 1, since: now - (now % DAY), tools: [{ name: 'Read' }] })
  expect(await call(showStatistics, { query: { days: '4' } })).toMatchObject({ runs: 2 })
  const there = await call(showStatistics, { query: { folder: other } })
  expect(there).toMatchObject({ runs: 1, tools: [{ name: 'Bash' }] })
  expect(await call(showStatistics, { query: { folder: '/no/such/folder' } })).toMatchObject({
    runs: 0,
  })
})

test('lets other requests run while it counts, and stops when its client disconnects', async () => {
  const client = await apiClient()
  const runs = Array.from({ length: 60 }, (_, at) => [
    `run-${at}`,
    recordsOf(client.folder, at + 1),
  ])
  await addRuns(client, Object.fromEntries(runs) as Record<string, JournalRecord[]>)
  const controller = new AbortController()
  const order: string[] = []
  const counting = client
    .send(showStatistics, { signal: controller.signal })
    .then(({ status }) => order.push(`counted ${status}`))
  await client.call(showStatus).then(() => order.push('status'))
  controller.abort()
  await counting
  expect(order).toEqual(['status', 'counted 500'])
  expect(client.errors).toEqual([])
})

test('reads a run once, and a second time after it has continued', async () => {
  const journal = memoryJournal()
  await journal.add({ run: 'one', records: recordsOf('/a', 10 * DAY), imported: false })
  await journal.add({ run: 'two', records: recordsOf('/a', 10 * DAY), imported: false })
  const read = vi.spyOn(journal, 'read')
  const cache = createStatisticsCache()
  const first = await journalStatistics(journal, { cache })
  expect(await journalStatistics(journal, { cache })).toEqual(first)
  // Counting from a day before them gives the same figures.
  expect(await journalStatistics(journal, { cache, since: 9 * DAY })).toEqual(first)
  expect(read).toHaveBeenCalledTimes(2)

  const log = await journal.open('one')
  const [, turn] = recordsOf('/a', 0)
  await log.append({ ...turn!, key: 'turn/1' })
  await log.close()
  const { models } = await journalStatistics(journal, { cache })
  expect(models).toMatchObject([{ turns: 3 }])
  expect(read).toHaveBeenCalledTimes(3)
})

test('ignores earlier events, even if the run continues', async () => {
  const journal = memoryJournal()
  const later = recordsOf('/a', 12 * DAY).map((each) => ({
    ...each,
    key: each.key.replace('turn/0', 'turn/1'),
  }))
  const records = [...recordsOf('/a', 10 * DAY).slice(0, 3), ...later.slice(1)]
  await journal.add({ run: 'one', records, imported: false })
  const cache = createStatisticsCache()
  const turns = async (since = 0): Promise<number | undefined> =>
    (await journalStatistics(journal, { cache, since })).models[0]?.turns
  expect([await turns(), await turns(11 * DAY), await turns(), await turns(13 * DAY)]).toEqual([
    2,
    1,
    2,
    undefined,
  ])
})

test('lists a damaged run each time, and counts the other runs', async () => {
  const journal = memoryJournal()
  await journal.add({ run: 'one', records: recordsOf('/a', 1), imported: false })
  await journal.add({ run: 'two', records: recordsOf('/a', 1), imported: false })
  const { JournalError } = await import('@toolglot/agent/journal')
  const damaged: Pick<Journal, 'runs' | 'read'> = {
    runs: (options) => journal.runs(options),
    read: (run) =>
      run === 'one' ? Promise.reject(new JournalError('corrupt', 'damaged')) : journal.read(run),
  }
  const cache = createStatisticsCache()
  const unreadable: string[] = []
  const onUnreadable = (run: string): unknown => unreadable.push(run)
  for (let count = 0; count < 2; count += 1)
    expect(await journalStatistics(damaged, { cache, onUnreadable })).toMatchObject({ runs: 1 })
  expect(unreadable).toEqual(['one', 'one'])
})

test('handles hostile records with any names, and too many of them', async () => {
  const client = await apiClient()
  const many = Array.from({ length: 1500 }, (_, at) => `t${at}`)
  const names = ['__proto__', 'constructor', '\u202e\u0000', ...many]
  const time = Date.now()
  const [setup] = recordsOf('/a', time)
  const segments = names.map((name) => ({ type: 'call', call: { name } }))
  const turn = { key: 'turn/0', kind: 'value', value: { segments, usage: 'none' }, time } as const
  await addRuns(client, { one: [setup!, turn] })
  const { tools } = await client.call(showStatistics)
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(names.slice(0, 3)))
  expect(tools.length).toBeLessThanOrEqual(1001)
  expect(tools.reduce((sum, { calls }) => sum + calls, 0)).toBe(names.length)
})

test.each(['0', '-1', '', 'x', '1.5', '1e9', 'NaN', '0x1g'])('400 for days=%s', async (days) => {
  const { problem } = await apiClient()
  expect(await problem(showStatistics, { query: { days } })).toMatchObject({
    code: 'invalid_request',
  })
})
