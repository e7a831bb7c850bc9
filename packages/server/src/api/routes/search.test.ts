import type { JournalRecord } from '@toolglot/agent/journal'
import { expect, test } from 'vitest'
import { addRuns } from '../../../test/add-runs.ts'
import { apiClient } from '../../../test/api-client.ts'
import { showOutline } from './runs/history.ts'
import { visitEvents } from '../read-records.ts'
import { searchRuns } from './search.ts'
import { showStatistics } from './stats.ts'

/** The records of a run with one turn, one call and its outcome. */
function recordsOf(
  time: number,
  {
    tool = 'Read',
    path = 'a.txt',
    result = 'nothing',
    model = 'one',
    reason = 'answer',
    protocol = 'hermes',
  } = {},
): JournalRecord[] {
  const value = (key: string, content: object, after = 0): JournalRecord => ({
    key,
    kind: 'value',
    value: content,
    time: time + after,
  })
  const call = { id: 'call_1', name: tool, args: { file_path: path }, repairs: [], raw: 'x' }
  return [
    value('run', {
      cwd: '/',
      model,
      protocol,
      messages: [
        { role: 'system', content: 'You have Read, Write and Unusual.' },
        { role: 'user', content: 'Please do it.' },
      ],
    }),
    value('turn/0', {
      content: 'Right.x',
      segments: [
        { type: 'text', span: [0, 6], text: 'Right.' },
        { type: 'call', span: [6, 7], call },
      ],
      usage: { input: 10, output: 5 },
      duration: 30,
    }),
    value('turn/0/call/0', { status: 'success', text: result, duration: 20, started: time }),
    value('end/0', { reason, text: '', usage: { input: 10, output: 5 } }, 1),
  ]
}

test('searches messages, calls and results, but not the text that every prompt contains', async () => {
  const client = await apiClient()
  await addRuns(client, {
    'run-a': recordsOf(1000, { path: 'src/needle.ts' }),
    'run-b': recordsOf(2000, { tool: 'Unusual', result: 'It says "Größe"\nand more' }),
    'run-c': recordsOf(3000, { model: 'two', reason: 'loop' }),
  })
  const found = async (query: Readonly<Record<string, string>>): Promise<readonly string[]> =>
    (await client.call(searchRuns, { query })).runs.map(({ run }) => run)
  expect(await found({})).toEqual(['run-c', 'run-b', 'run-a'])
  expect(await found({ text: 'NEEDLE.ts' })).toEqual(['run-a'])
  expect(await found({ text: 'größe"\nAND' })).toEqual(['run-b'])
  expect(await found({ text: 'unusual' })).toEqual(['run-b'])
  expect(await found({ text: 'please' })).toEqual(['run-c', 'run-b', 'run-a'])
  expect(await found({ text: 'segments' })).toEqual([])
  expect(await found({ tool: 'Unusual' })).toEqual(['run-b'])
  expect(await found({ model: 'two' })).toEqual(['run-c'])
  expect(await found({ protocol: 'hermes', reason: 'loop' })).toEqual(['run-c'])
  expect(await found({ protocol: 'native' })).toEqual([])
})

test('ignores the case of letters in any script', async () => {
  const client = await apiClient()
  const result = 'Thủ đô cũ là Đà Nẵng, và École. Ắ'
  await addRuns(client, { one: recordsOf(1000, { result }), other: recordsOf(2000) })
  for (const text of ['Đà Nẵng', 'đà nẵng', 'École', 'ÉCOLE.', 'THỦ ĐÔ', 'Ắ']) {
    const { runs } = await client.call(searchRuns, { query: { text } })
    expect([text, runs.map(({ run }) => run)]).toEqual([text, ['one']])
  }
})

test('finds a run by all of its models and protocols, as in the statistics', async () => {
  const client = await apiClient()
  const [setup, turn, ...others] = recordsOf(1000, { model: 'one' })
  const resumed = { model: 'two', protocol: 'glm' }
  await addRuns(client, {
    both: [
      setup!,
      turn!,
      { key: 'resume/1', kind: 'value', value: resumed, time: 1000 },
      { ...turn!, key: 'turn/1' },
      ...others,
    ],
    // This run mentions the other tool without using it.
    one: recordsOf(2000, { result: 'two glm' }),
    neither: [{ ...setup!, value: { messages: [] } }, turn!, ...others],
  })
  const { models, protocols } = await client.call(showStatistics)
  for (const { name, runs } of models)
    expect((await client.call(searchRuns, { query: { model: name } })).runs).toHaveLength(runs)
  for (const { name, runs } of protocols)
    expect((await client.call(searchRuns, { query: { protocol: name } })).runs).toHaveLength(runs)
  expect(models.map(({ name }) => name).sort()).toEqual(['one', 'two', 'unknown'])
  expect(protocols.map(({ name }) => name).sort()).toEqual(['glm', 'hermes', 'unknown'])
})

test('refuses an invalid start', async () => {
  const { problem } = await apiClient()
  for (const after of ['nonsense', 'x/run', '/run', '12', ''])
    expect([after, await problem(searchRuns, { query: { after } })]).toMatchObject([
      after,
      { code: 'invalid_request' },
    ])
})

test('lets other requests run while it reads a large run, and can be stopped', async () => {
  const [setup, turn] = recordsOf(1000)
  const records = Array.from({ length: 20_000 }, (_, at) => ({ ...turn!, key: `turn/${at}` }))
  const visit = (): void => {}
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  await visitEvents({ run: 'large', imported: false }, [setup!, ...records], { visit })
  clearInterval(timer)
  expect(turns).toBeGreaterThan(2)
  const stop = new AbortController()
  const stopped = visitEvents({ run: 'large', imported: false }, [setup!, ...records], {
    visit,
    signal: stop.signal,
  })
  stop.abort(new Error('stopped'))
  await expect(stopped).rejects.toThrow('stopped')
})

test('continues after the previous answer, even if that run was deleted', async () => {
  const client = await apiClient()
  const runs = Array.from({ length: 5 }, (_, at) => [`run-${at}`, recordsOf(1000 * (at + 1))])
  await addRuns(client, Object.fromEntries(runs) as Record<string, JournalRecord[]>)
  const first = await client.call(searchRuns, { query: { limit: '2' } })
  expect(first).toMatchObject({ runs: [{ run: 'run-4' }, { run: 'run-3' }], total: 5 })
  const second = await client.call(searchRuns, { query: { limit: '2', after: first.next! } })
  expect(second.runs.map(({ run }) => run)).toEqual(['run-2', 'run-1'])
  const gone = await client.call(searchRuns, { query: { after: '2001.5/gone' } })
  expect(gone.runs.map(({ run }) => run)).toEqual(['run-1', 'run-0'])
  expect(gone.next).toBeUndefined()
})

test('shows the outline of a run', async () => {
  const client = await apiClient()
  await addRuns(client, { 'run-a': recordsOf(1000) })
  expect(await client.call(showOutline, { parameters: { run: 'run-a' } })).toEqual({
    tools: ['Read'],
    models: ['one'],
    protocols: ['hermes'],
    strip: [
      { kind: 'text', length: 6 },
      { kind: 'call', length: 1 },
    ],
  })
})
