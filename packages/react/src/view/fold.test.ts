import { Session } from 'node:inspector/promises'
import { ModelError, replay, run, type RunEvent } from '@toolglot/agent'
import { memoryJournal } from '@toolglot/agent/journal'
import { scriptedModel } from '@toolglot/agent/testing'
import { expect, test } from 'vitest'
import { createFold, type Fold } from './fold.ts'
import type { RunView } from './run-view.ts'
import { isLong, longTest } from '../../../../tests/helpers/size.ts'

test('a failed reply that is requested again is shown once', async () => {
  const model = scriptedModel(
    [
      () => [
        { type: 'text', delta: 'Hello, and th' },
        { type: 'finish', finish: 'broken' } as never,
      ],
      new ModelError('unavailable', 'Busy.', { retryAfter: 1 }),
      'Hello, and thank you.',
    ],
    { chunkSize: 5 },
  )
  const fold = createFold('run-1')
  const shown = new Set<string>()
  for await (const event of run({ id: 'run-1', journal: memoryJournal(), model, prompt: 'Hi' })) {
    fold.add(event)
    shown.add(textOf(fold.view()))
  }
  expect([...shown]).toEqual([
    '',
    'Hello, and th',
    ...['Hello', 'Hello, and', 'Hello, and than', 'Hello, and thank you', 'Hello, and thank you.'],
  ])
})

test('turns are counted since the last message, like the limits', async () => {
  const journal = memoryJournal()
  const counts: number[] = []
  for (const resume of [false, true]) {
    const model = scriptedModel(['An answer.'])
    for await (const _ of run({ id: 'run-1', journal, model, prompt: 'Hi', resume }));
    const fold = createFold('run-1')
    for (const event of replay('run-1', await journal.read('run-1'))) fold.add(event)
    counts.push(fold.view().turns)
  }
  expect(counts).toEqual([1, 1])
})

test('the output of a tool is kept up to a size', () => {
  const fold = withCall()
  const line = `${'x'.repeat(999)}\n`
  fold.add(transient({ type: 'tool-progress', call: 'call-1', update: output('first\n') }))
  expect(callIn(fold.view()).output).toBe('first\n')
  for (let count = 0; count < (isLong ? 20_000 : 1000); count++)
    fold.add(transient({ type: 'tool-progress', call: 'call-1', update: output(line) }))
  const kept = callIn(fold.view()).output!
  expect(kept.length).toBeGreaterThanOrEqual(64 << 10)
  expect(kept.length).toBeLessThanOrEqual(128 << 10)
  expect(kept.endsWith(line)).toBe(true)
  fold.dropPreviews()
  expect(callIn(fold.view()).output).toBeUndefined()
})

test('the memory for undoing previews depends on their changes, not on their number', async () => {
  const [fewer, more] = isLong ? [1000, 20_000] : [500, 3000]
  const few = await heapAfter(fewer)
  const many = await heapAfter(more)
  // Storing every state of the output would take hundreds of megabytes, or more than a gigabyte.
  expect(many - few).toBeLessThan(20 << 20)
})

/** The number of bytes in use after this many pieces of output. */
async function heapAfter(count: number): Promise<number> {
  const fold = withCall()
  const line = 'x'.repeat(1000)
  for (let at = 0; at < count; at++)
    fold.add(transient({ type: 'tool-progress', call: 'call-1', update: output(line + at) }))
  const session = new Session()
  session.connect()
  await session.post('HeapProfiler.collectGarbage')
  session.disconnect()
  const { heapUsed } = process.memoryUsage()
  expect(callIn(fold.view()).output).toContain(String(count - 1))
  return heapUsed
}

longTest('the number of steps is proportional to the number of events', async () => {
  const turns = 1000
  // A warm-up: V8 does not count the first executions of a function.
  await stepsFor(turns)
  const [half, whole] = [await stepsFor(turns), await stepsFor(2 * turns)]
  expect(half).toBeGreaterThan(10_000)
  expect(whole / half).toBeLessThan(2.1)
})

/**
 * The number of code blocks of the view that are executed for a run with this many turns, previews
 * and calls.
 */
async function stepsFor(turns: number): Promise<number> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const fold = createFold('run-1')
  let seq = 0
  const record = (body: object): void =>
    fold.add({ ...body, run: 'run-1', seq: seq++, time: 1 } as RunEvent)
  const preview = (body: object): void => fold.add(transient(body))
  const usage = { input: 1, output: 1 }
  for (let turn = 0; turn < turns; turn++) {
    const id = `call-${turn}`
    const call = { id, name: 'look', args: {}, raw: '', complete: true, repairs: [] }
    preview({ type: 'turn-start', turn })
    for (let piece = 0; piece < 5; piece++) preview({ type: 'text', delta: 'word ', at: piece * 5 })
    preview({ type: 'call-start', index: 0, id, name: 'look' })
    record({ type: 'turn-start', turn })
    record({ type: 'text', delta: 'word word word word word ', at: 0 })
    record({ type: 'call-start', index: 0, id, name: 'look' })
    record({ type: 'call-end', index: 0, call })
    record({ type: 'turn-end', turn, usage })
    record({ type: 'tool-start', call: id, name: 'look', args: {} })
    preview({ type: 'tool-progress', call: id, update: output('line\n') })
    record({ type: 'tool-end', call: id, name: 'look', outcome: { status: 'ok', text: 'x' } })
  }
  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  return result
    .filter(({ url }) => /\/view\/(?:fold|undo)\.ts$/.test(url))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
    .reduce((sum, { count }) => sum + count, 0)
}

function withCall(): Fold {
  const fold = createFold('run-1')
  const bodies = [
    { type: 'turn-start', turn: 0 },
    { type: 'call-end', index: 0, call: { id: 'call-1', name: 'Bash', args: {} } },
    { type: 'turn-end', turn: 0, usage: { input: 1, output: 1 } },
    { type: 'tool-start', call: 'call-1', name: 'Bash', args: {} },
  ]
  for (const [seq, body] of bodies.entries())
    fold.add({ ...body, run: 'run-1', seq, time: 1 } as RunEvent)
  return fold
}

function transient(body: object): RunEvent {
  return { ...body, run: 'run-1', seq: 3, time: 1, transient: true } as RunEvent
}

function output(text: string): object {
  return { type: 'output', stream: 'stdout', text }
}

function callIn({ items }: RunView): { readonly output?: string } {
  for (const item of items)
    if (item.type === 'turn') for (const part of item.parts) if (part.type === 'call') return part
  throw new Error('There is no call.')
}

function textOf({ items }: RunView): string {
  return items
    .flatMap((item) => (item.type === 'turn' ? item.parts : []))
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('')
}

test('a reply cut off by the end of the run is kept as a separate turn', () => {
  const fold = createFold('run-1')
  const common = { run: 'run-1', time: 1 }
  const events = [
    { type: 'run-start', model: 'm', protocol: 'hermes', resumed: false, ...common, seq: 0 },
    { type: 'prompt', content: 'Write.', ...common, seq: 1 },
    { type: 'turn-start', turn: 0, ...common, seq: 1, transient: true },
    { type: 'text', delta: 'Half an ', at: 0, ...common, seq: 1, transient: true },
    {
      type: 'run-end',
      reason: 'cancelled',
      text: '',
      usage: { input: 0, output: 0 },
      unfinished: 'Half an ',
      ...common,
      seq: 2,
    },
  ] as const
  for (const event of events) fold.add(event)
  const [, turn, end] = fold.view().items
  expect(turn).toMatchObject({ type: 'turn', isUnfinished: true, parts: [{ text: 'Half an ' }] })
  expect(end).toMatchObject({ type: 'end', reason: 'cancelled' })
  fold.add({ type: 'prompt', content: 'Again.', ...common, seq: 3 })
  expect(fold.view().items.at(-1)).toMatchObject({ type: 'prompt', turn: 0 })
})
