import { afterEach, expect, test, vi } from 'vitest'
import { collect, type Model, turn, type TurnEvent } from '../../index.ts'
import type { ModelChunk } from '../../model/model.ts'
import { settled } from '../../../../../tests/helpers/until.ts'

/** A model whose reply never ends. Counts the chunks requested from it. */
function endless(piece: (at: number) => ModelChunk): Model & { pulled: number; ended: number } {
  const model = {
    name: 'endless',
    pulled: 0,
    ended: 0,
    async *reply() {
      try {
        for (;;) yield piece(model.pulled++)
      } finally {
        model.ended++
      }
    },
  }
  return model
}

const useFakeTime = (): void =>
  void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
afterEach(() => void vi.useRealTimers())

const numbered = (at: number): ModelChunk => ({ type: 'text', delta: `${at} ` })

async function read(events: AsyncIterator<TurnEvent>, count: number): Promise<string> {
  let text = ''
  for (let at = 0; at < count; at++) {
    const { value } = (await events.next()) as IteratorYieldResult<TurnEvent>
    if (value.type === 'text') text += value.delta
  }
  return text
}

function numbersBelow(count: number): string {
  return Array.from({ length: count }, (_, at) => `${at} `).join('')
}

test('a reply waits for its reader, then continues at the same place', async () => {
  const model = endless(numbered)
  const events = turn({ model, prompt: 'Go' })
  let text = await read(events, 3)
  await settled()
  const { pulled } = model
  expect(pulled).toBeLessThan(600)
  await settled()
  expect(model.pulled).toBe(pulled)
  text += await read(events, 5000)
  expect(text).toBe(numbersBelow(5003))
  expect(model.pulled).toBeGreaterThan(5002)
  expect(model.pulled).toBeLessThan(5700)
  await events.return(undefined as never)
  expect(model.ended).toBe(1)
})

test.each(['text', 'reasoning'] as const)('long pieces of %s wait', async (type) => {
  const model = endless(() => ({ type, delta: 'x'.repeat(20_000) }))
  const events = turn({ model, prompt: 'Go' })
  await read(events, 1)
  await settled()
  expect(model.pulled).toBeLessThan(8)
  await events.return(undefined as never)
})

test('long arguments of a native call wait', async () => {
  const model = endless((at) => ({
    type: 'call',
    index: 0,
    ...(at === 0 && { name: 'write' }),
    delta: at === 0 ? '{"text": "' : 'x'.repeat(1000),
  }))
  const events = turn({ model, prompt: 'Go', protocol: 'native' })
  await read(events, 1)
  await settled()
  expect(model.pulled).toBeLessThan(100)
  await events.return(undefined as never)
  expect(model.ended).toBe(1)
})

test('reads one very long piece as slowly as many short ones', async () => {
  const line = 'The same line. '
  const whole = line.repeat(100_000)
  const model: Model = {
    name: 'whole',
    async *reply() {
      yield { type: 'text', delta: whole }
      yield { type: 'finish', finish: 'stop' }
    },
  }
  let events = 0
  let text = ''
  for await (const event of turn({ model, prompt: 'Go' }))
    if (event.type === 'text') {
      events++
      text += event.delta
      if (events % 100 === 0) await settled()
    }
  expect(text === whole).toBe(true)
})

test('aborting a turn ends the reply immediately while it waits for its reader', async () => {
  const model = endless(numbered)
  const stop = new AbortController()
  const events = turn({ model, prompt: 'Go', signal: stop.signal })
  await read(events, 1)
  await settled()
  stop.abort(new Error('Enough.'))
  await settled()
  // No chunks were read in the meantime.
  expect(model.ended).toBe(1)
  const rest = (async () => {
    while (!(await events.next()).done);
  })()
  await expect(rest).rejects.toThrow('Enough.')
})

test('leaving a turn ends it immediately while it waits for its model', async () => {
  let signal: AbortSignal | undefined
  const model: Model = {
    name: 'silent',
    async *reply(request) {
      signal = request.signal
      yield { type: 'text', delta: 'Well' }
      await new Promise(() => {})
    },
  }
  const events = turn({ model, prompt: 'Go' })
  await read(events, 1)
  const waiting = events.next()
  await settled()
  await events.return(undefined as never)
  expect(signal?.aborted).toBe(true)
  expect(await waiting).toEqual({ done: true, value: undefined })
  expect(await events.next()).toEqual({ done: true, value: undefined })
})

test('time spent by the reader does not count as the model’s', async () => {
  const model: Model = {
    name: 'quick',
    async *reply() {
      for (let at = 0; at < 1000; at++) yield numbered(at)
      yield { type: 'finish', finish: 'stop' }
    },
  }
  const limits = { idleTimeout: 500, modelTimeout: 700, maxRetries: 0 }
  useFakeTime()
  const events = turn({ model, prompt: 'Go', limits })
  await read(events, 1)
  await vi.advanceTimersByTimeAsync(1500)
  const { text } = await collect(events)
  expect(text).toBe(numbersBelow(1000))
})

test('the model’s own time counts even after a slow reader', async () => {
  const model: Model = {
    name: 'slow',
    async *reply() {
      for (let at = 0; at < 1000; at++) yield numbered(at)
      for (let at = 1000; ; at++) {
        await new Promise((resolve) => setTimeout(resolve, 10))
        yield numbered(at)
      }
    },
  }
  const limits = { modelTimeout: 100, maxRetries: 0 }
  useFakeTime()
  const events = turn({ model, prompt: 'Go', limits })
  await read(events, 1)
  await vi.advanceTimersByTimeAsync(1500)
  const failing = expect(collect(events)).rejects.toMatchObject({ problem: 'timeout' })
  for (let at = 0; at < 200; at++) await vi.advanceTimersByTimeAsync(10)
  await failing
})
