import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { runs } from '../../../../../tests/helpers/size.ts'
import { collectEvents } from '../../../test/collect-events.ts'
import { folderOf } from '../../../../../tests/helpers/folder.ts'
import { call, scripted } from '../../../test/scripted.ts'
import { reader, writer } from '../../../test/tools.ts'
import type { ModelChunk } from '../../model/model.ts'
import { sqliteJournal } from '../../node/journal/sqlite-journal.ts'
import { ToolError } from '../../tool/tool-error.ts'
import type { JournalRecord, RecordKind } from '../journal.ts'
import { memoryJournal } from '../memory-journal.ts'
import { journalStatistics } from './journal-statistics.ts'
import { runStatistics } from './run-statistics.ts'
import { addStatistics, type RunStatistics } from './statistics.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 31, 12)

function record(
  key: string,
  value: unknown,
  { time = START, kind = 'value' }: { time?: number; kind?: RecordKind } = {},
): JournalRecord {
  return { key, kind, value, time }
}

const setup = record('run', { model: 'tiny', protocol: 'hermes', messages: [] })

/** A reply that calls a tool. */
function turn(name: string, more: object = {}): object {
  const segment = { type: 'call', span: [0, 1], call: { id: '1', name, args: {}, repairs: [] } }
  return { content: '', segments: [segment], usage: { input: 10, output: 1 }, ...more }
}

const done = { status: 'success', text: '', started: START, duration: 5 }

function reply(text: string, usage: object): ModelChunk[] {
  return [
    { type: 'text', delta: text },
    { type: 'usage', usage: { input: 100, output: 10, ...usage } },
    { type: 'finish', finish: 'stop' },
  ]
}

test('counts the calls, replies and failures of a recorded run', async () => {
  const journal = memoryJournal()
  const look = reader(({ key }) => {
    if (key === 'b') throw new ToolError('not_found', 'There is no b.')
    return key
  })
  const answers = ['allow', 'deny'] as const
  let asked = 0
  const { end } = await collectEvents({
    id: 'a',
    journal,
    prompt: 'Go',
    model: scripted(
      [
        reply(call('look', { key: 'a' }) + call('look', { key: 'b' }), { cached: 40, cost: 0.1 }),
        reply(call('put', { value: 'a' }) + call('put', { value: 'b' }), { cost: 0.2 }),
        reply('<tool_call>\n{"name": "look", "arguments": {"key"\n</tool_call>', {}),
        reply("<tool_call>\n{'name': 'look', 'arguments': {'key': 'c'}}\n</tool_call>", {}),
        reply('Done.', { estimated: true }),
      ],
      { name: 'scripted-hermes-3' },
    ),
    tools: [look, writer()],
    approve: async () => ({ verdict: answers[asked++]! }),
  })
  expect(end.reason).toBe('answer')
  const found = await journalStatistics(journal)
  expect(found).toMatchObject({
    runs: 1,
    ends: [{ name: 'answer', count: 1 }],
    approvals: { asked: 2, allowed: 1, denied: 1 },
    tools: [
      {
        name: 'look',
        calls: 3,
        succeeded: 2,
        failed: 1,
        denied: 0,
        errors: [{ name: 'not_found', count: 1 }],
        duration: { count: 3 },
      },
      { name: 'put', calls: 2, succeeded: 1, failed: 0, denied: 1, duration: { count: 1 } },
    ],
    protocols: [{ name: 'hermes', turns: 5 }],
  })
  expect(found.models).toHaveLength(1)
  const [{ name: _, ...model }] = found.models as [RunStatistics['models'][number]]
  const { name: __, ...protocol } = found.protocols[0]!
  expect(model).toEqual(protocol)
  expect(model).toMatchObject({
    turns: 5,
    calls: 5,
    malformed: 1,
    repaired: 1,
    usage: { input: 500, output: 50, cached: 40, cost: 0.3, estimated: true },
    duration: { count: 5 },
    firstToken: { count: 5 },
  })
  expect(model.repairs.map(({ count }) => count)).toContain(1)
  const [today, ...otherDays] = found.days
  // A test may run at midnight.
  if (otherDays.length === 0)
    expect(today).toMatchObject({ runs: 1, turns: 5, calls: 5, errors: 1, usage: model.usage })
})

test('a turn and its calls count on the day they occurred, and only since a given time', () => {
  const later = START + 2 * DAY
  const records = [
    setup,
    record('turn/0', turn('look')),
    record('turn/0/call/0', { ...done, status: 'error', failure: { error_type: 'timeout' } }),
    record('turn/1', turn('look'), { time: later }),
    record('turn/1/call/0', done, { time: later + DAY }),
    record('turn/2', turn('look'), { time: later + DAY }),
  ]
  const usage = { input: 10, output: 1 }
  const all = runStatistics(records)
  expect(all.days).toEqual([
    { day: '2026-01-31', runs: 1, turns: 1, calls: 1, succeeded: 0, errors: 1, denied: 0, usage },
    { day: '2026-02-02', runs: 0, turns: 1, calls: 1, succeeded: 0, errors: 0, denied: 0, usage },
    { day: '2026-02-03', runs: 0, turns: 1, calls: 1, succeeded: 1, errors: 0, denied: 0, usage },
  ])
  expect(all.ends).toEqual([{ name: 'unfinished', count: 1 }])
  const some = runStatistics(records, { since: later })
  // The run began before that.
  expect(some.days).toEqual(all.days.slice(1))
  expect(some.runs).toBe(1)
  expect(some.tools).toMatchObject([{ name: 'look', calls: 2, succeeded: 1, failed: 0 }])
  expect(some.models).toMatchObject([{ name: 'tiny', turns: 2 }])
  expect(runStatistics(records, { since: later + 2 * DAY })).toEqual(addStatistics([]))
})

test('measures the durations of tools and approvals, with median and 95th percentile', () => {
  const records = [setup]
  for (let at = 0; at < 100; at++) {
    const outcome = { status: 'success', started: START, duration: at < 90 ? 100 : 5000 }
    records.push(record(`turn/${at}`, turn('look')), record(`turn/${at}/call/0`, outcome))
  }
  const asked = 'turn/3/call/0/approval/h'
  records.push(
    record(asked, {}, { kind: 'wait' }),
    record(asked, { verdict: 'allow' }, { kind: 'answer', time: START + 700 }),
    // The run has already read the answer.
    record(asked, { verdict: 'allow' }, { time: START + 900 }),
    record('turn/4/call/0/question', {}, { kind: 'wait' }),
    record('turn/4/call/0/question', {}, { kind: 'answer', time: START + 300 }),
  )
  const { models, protocols, toolDuration, approvals } = runStatistics(records)
  const times = { runs: 1, toolTime: 90 * 100 + 10 * 5000, waitTime: 1000 }
  expect(models).toMatchObject([times])
  expect(protocols).toMatchObject([times])
  expect(approvals).toEqual({ asked: 1, allowed: 1, denied: 0 })
  expect(toolDuration.count).toBe(100)
  expect(Math.abs(toolDuration.median / 100 - 1)).toBeLessThan(0.1)
  expect(Math.abs(toolDuration.p95 / 5000 - 1)).toBeLessThan(0.1)
})

test('counts only named items', () => {
  const records = [
    record('run', { model: 'a', protocol: 'hermes' }),
    record('turn/0', turn('look')),
    record('turn/0/call/0', done),
    record('turn/1', turn('put')),
    record('turn/1/call/0/approval/h', {}, { kind: 'wait' }),
    record('turn/1/call/0/approval/h', { verdict: 'deny' }, { kind: 'answer' }),
    record('turn/1/call/0', { status: 'denied', duration: 0 }),
    record('resume/1', { model: 'b', protocol: 'native' }),
    record('turn/2', turn('look')),
    record('turn/2/call/0', done),
  ]
  const of = (only: object): RunStatistics => runStatistics(records, { only })
  expect(of({ tool: 'look' })).toMatchObject({
    runs: 1,
    tools: [{ name: 'look', calls: 2 }],
    models: [
      { name: 'a', turns: 1, usage: { input: 10 } },
      { name: 'b', turns: 1 },
    ],
    approvals: { asked: 0 },
    days: [{ turns: 2, calls: 2, denied: 0 }],
  })
  expect(of({ model: 'a' })).toMatchObject({
    tools: [
      { name: 'look', calls: 1 },
      { name: 'put', calls: 1, denied: 1 },
    ],
    models: [{ name: 'a', turns: 2 }],
    protocols: [{ name: 'hermes', turns: 2 }],
    approvals: { asked: 1, denied: 1 },
  })
  expect(of({ protocol: 'native', tool: 'look' })).toMatchObject({
    tools: [{ calls: 1 }],
    models: [{ name: 'b', turns: 1 }],
  })
  for (const only of [{ tool: 'other' }, { model: 'c' }, { model: 'a', protocol: 'native' }])
    expect(of(only)).toEqual(addStatistics([]))
  expect(of({})).toEqual(runStatistics(records))
})

test('the last end of a run counts unless the run was resumed', () => {
  const ended = [setup, record('end/0', { reason: 'cancelled' })]
  const endsOf = (records: readonly JournalRecord[]): unknown => runStatistics(records).ends
  expect(endsOf(ended)).toEqual([{ name: 'cancelled', count: 1 }])
  const message = record('message/0', { type: 'stop' }, { kind: 'message' })
  expect(endsOf([...ended, message])).toEqual([{ name: 'cancelled', count: 1 }])
  const resumed = [...ended, record('input/0', { message: { role: 'user', content: 'Go' } })]
  expect(endsOf(resumed)).toEqual([{ name: 'unfinished', count: 1 }])
  expect(endsOf([...resumed, record('end/1', { reason: 'answer' })])).toEqual([
    { name: 'answer', count: 1 },
  ])
})

test('turns copied by a fork count only for its source', async () => {
  const journal = memoryJournal()
  const look = reader()
  const options = { journal, tools: [look], prompt: 'Go' }
  const first = [call('look', { key: 'a' }), call('look', { key: 'b' }), 'Done.']
  await collectEvents({ ...options, id: 'a', model: scripted(first) })
  const alone = await journalStatistics(journal)
  const again = [call('look', { key: 'c' }), 'Done.']
  const fork = { run: 'a', turn: 1 }
  const other = { name: 'other-hermes-3' }
  await collectEvents({ ...options, id: 'b', model: scripted(again, other), fork })
  const own = await journalStatistics(journal, { run: 'b' })
  expect(own).toMatchObject({
    runs: 1,
    tools: [{ name: 'look', calls: 1 }],
    models: [{ name: 'other-hermes-3', turns: 2 }],
    ends: [{ name: 'answer', count: 1 }],
  })
  expect(alone.models).toMatchObject([{ turns: 3 }])
  expect(await journalStatistics(journal)).toEqual(addStatistics([own, alone]))
})

test('summaries of long histories count as usage, not as turns', () => {
  const usage = { input: 7, output: 3 }
  const found = runStatistics([
    setup,
    record('turn/0', turn('look')),
    record('compact/1', { before: 5, after: 2 }),
    record('compact/1/summary', { content: '', segments: [], usage }),
    record('compact/1/1/summary', { content: '', segments: [], usage }),
    record('final/0', { content: '', segments: [], usage }),
  ])
  expect(found.models).toMatchObject([{ turns: 2, usage: { input: 31, output: 10 } }])
})

test('imported and damaged runs are not counted, and damaged ones are reported', async () => {
  const journal = memoryJournal()
  const records = [setup, record('turn/0', turn('look'))]
  await journal.add({ run: 'mine', records, imported: false })
  await journal.add({ run: 'foreign', records })
  expect(await journalStatistics(journal)).toMatchObject({ runs: 1, days: [{ turns: 1 }] })

  const file = join(folderOf(), 'journal.sqlite')
  const before = sqliteJournal({ file })
  const damaged = [setup, record('turn/0', turn('tool of a'))]
  await before.add({ run: 'a', records: damaged, imported: false })
  await before.add({ run: 'b', records, imported: false })
  await before.close()
  const bytes = readFileSync(file)
  bytes.write('x', bytes.lastIndexOf('tool of a'))
  writeFileSync(file, bytes)
  const stored = sqliteJournal({ file })
  onTestFinished(() => stored.close())
  const onUnreadable = vi.fn()
  expect(await journalStatistics(stored, { onUnreadable })).toMatchObject({ runs: 1 })
  expect(onUnreadable.mock.calls.map(([run]) => run)).toEqual(['a'])
})

test('stops when aborted', async () => {
  const journal = memoryJournal()
  await journal.add({ run: 'a', records: [setup], imported: false })
  const signal = AbortSignal.abort(new Error('not needed'))
  await expect(journalStatistics(journal, { signal })).rejects.toThrow('not needed')
})

test('after a thousand names, all further names share one entry', () => {
  const records = [setup]
  for (let at = 0; at < 1500; at++) records.push(record(`turn/${at}`, turn(`tool ${at}`)))
  const { tools, models } = runStatistics(records)
  expect(tools).toHaveLength(1001)
  expect(tools.find(({ name }) => name === 'other')).toMatchObject({ calls: 500 })
  expect(models).toMatchObject([{ calls: 1500 }])
  const sum = addStatistics([runStatistics(records), runStatistics(records)])
  expect(sum.tools).toHaveLength(1001)
  expect(sum.tools.reduce((total, { calls }) => total + calls, 0)).toBe(3000)
})

test('any string can be a name', () => {
  const names = ['__proto__', 'constructor', 'toString']
  const found = runStatistics([
    record('run', { model: '__proto__', protocol: 'constructor' }),
    ...names.map((name, at) => record(`turn/${at}`, turn(name))),
    ...names.map((name, at) => {
      const failure = { error_type: name }
      return record(`turn/${at}/call/0`, { status: 'error', failure, duration: 1 })
    }),
    record('end/0', { reason: '__proto__' }),
  ])
  expect(found.tools.map(({ name, failed, errors }) => [name, failed, errors])).toEqual(
    names.map((name) => [name, 1, [{ name, count: 1 }]]),
  )
  expect(found.models).toMatchObject([{ name: '__proto__', turns: 3 }])
  expect(found.ends).toEqual([{ name: '__proto__', count: 1 }])
  expect(JSON.parse(JSON.stringify(addStatistics([found])))).toEqual(found)
})

const keys = fc.constantFrom(
  ...['run', 'run/1', 'resume/1', 'turn/0', 'turn/1', 'turn/2', 'final/0', 'end/0', 'end/1'],
  ...['turn/0/call/0', 'turn/1/call/0', 'turn/1/call/1', 'compact/1/summary', 'turn/x', 'turn'],
  ...['turn/0/call/0/approval/h', 'turn/1/call/0/approval/h', 'turn/0/not-run', 'input/0', '/'],
)
const anyNumber = fc.oneof(fc.double(), fc.constantFrom(-1, 0, 2 ** 53, 8.64e15 + 1))
const oddRecords = fc.array(
  fc.record({
    key: keys,
    kind: fc.constantFrom('begin', 'value', 'wait', 'answer', 'message'),
    time: anyNumber,
    value: fc.oneof(
      fc.jsonValue(),
      fc.record(
        {
          segments: fc.oneof(
            fc.jsonValue(),
            fc.array(
              fc.record(
                {
                  type: fc.constantFrom('call', 'malformed', 'text'),
                  call: fc.oneof(
                    fc.jsonValue(),
                    fc.record({ name: fc.jsonValue(), repairs: fc.jsonValue() }),
                  ),
                },
                { requiredKeys: [] },
              ),
            ),
          ),
          usage: fc.oneof(
            fc.jsonValue(),
            fc.record({ input: anyNumber, output: anyNumber, cost: anyNumber }),
          ),
          ...{ status: fc.constantFrom('error', 'success', 'denied'), duration: anyNumber },
          ...{ failure: fc.jsonValue(), verdict: fc.jsonValue(), reason: fc.jsonValue() },
          ...{ model: fc.jsonValue(), protocol: fc.jsonValue() },
          forkOf: fc.oneof(
            fc.jsonValue(),
            fc.record({ run: fc.string(), turn: fc.integer({ min: 0, max: 3 }) }),
          ),
        },
        { requiredKeys: [] },
      ),
    ),
  }),
)

test('tolerates records with arbitrary content', () => {
  fc.assert(
    fc.property(oddRecords, (records) => {
      const found = runStatistics(records)
      expect(found.runs).toBeLessThanOrEqual(1)
      const turns = found.models.reduce((sum, each) => sum + each.turns, 0)
      expect(found.days.reduce((sum, each) => sum + each.turns, 0)).toBe(turns)
      const calls = found.models.reduce((sum, each) => sum + each.calls, 0)
      expect(found.tools.reduce((sum, each) => sum + each.calls, 0)).toBe(calls)
      for (const { duration } of found.tools) expect(duration.total).toBeGreaterThanOrEqual(0)
    }),
    runs(300),
  )
})

const someRun: fc.Arbitrary<readonly JournalRecord[]> = fc
  .record({
    model: fc.constantFrom('one', 'two'),
    turns: fc.array(
      fc.record({
        tool: fc.constantFrom('look', 'put', 'other'),
        cost: fc.double({ min: 0, max: 100, noNaN: true }),
        duration: fc.nat(100_000),
        days: fc.nat(5),
        repairs: fc.subarray(['unquoted-key', 'closed']),
      }),
      { maxLength: 6 },
    ),
    reason: fc.constantFrom('answer', 'loop', undefined),
  })
  .map(({ model, turns, reason }) => [
    record('run', { model, protocol: 'hermes' }),
    ...turns.flatMap(({ tool, cost, duration, days, repairs }, at) => {
      const time = START + days * DAY
      const usage = { input: 3, output: 2, cost }
      const segment = { type: 'call', call: { name: tool, repairs } }
      return [
        record(`turn/${at}`, { segments: [segment], usage, duration, firstToken: 1 }, { time }),
        record(`turn/${at}/call/0`, { ...done, duration }, { time }),
      ]
    }),
    ...(reason === undefined ? [] : [record('end/0', { reason })]),
  ])

test('runs can be added in any order and in any groups', () => {
  fc.assert(
    fc.property(
      fc.array(someRun, { maxLength: 8 }),
      fc.nat(8),
      fc.infiniteStream(fc.nat()),
      (runs, at, order) => {
        const all = runs.map((records) => runStatistics(records))
        const shuffled = all
          .map((each) => ({ each, place: order.next().value as number }))
          .sort((one, other) => one.place - other.place)
          .map(({ each }) => each)
        const groups = [shuffled.slice(0, at), shuffled.slice(at)].map(addStatistics)
        expect(addStatistics(groups)).toEqual(addStatistics(all))
      },
    ),
    runs(200),
  )
})

test('a median is accurate to a tenth', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(10_000_000), { minLength: 1, maxLength: 30 }), (durations) => {
      const records = durations.flatMap((duration, at) => [
        record(`turn/${at}`, turn('look')),
        record(`turn/${at}/call/0`, { ...done, duration }),
      ])
      const { duration: found } = runStatistics([setup, ...records]).tools[0]!
      const sorted = [...durations].sort((one, other) => one - other)
      const exact = sorted[Math.ceil(sorted.length / 2) - 1]!
      expect(found.count).toBe(durations.length)
      expect(found.max).toBe(sorted.at(-1))
      expect(Math.abs(found.median - exact)).toBeLessThanOrEqual(exact / 10 + 0.5)
    }),
  )
})
