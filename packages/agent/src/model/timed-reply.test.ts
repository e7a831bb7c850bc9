import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { collect } from '../run/run-result.ts'
import { run } from '../run/run.ts'
import type { Limits } from '../limits.ts'
import type { Model } from './model.ts'

const HOUR = 3_600_000

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** Requests a reply from a model that pauses this many milliseconds before each of its words. */
async function ask(waits: readonly number[], limits: Partial<Limits> = {}) {
  const model: Model = {
    name: 'slow',
    async *reply() {
      for (const wait of waits) {
        await new Promise((resolve) => setTimeout(resolve, wait))
        yield { type: 'text', delta: 'word ' }
      }
      yield { type: 'finish', finish: 'stop' }
    },
  }
  const asked = collect(run({ model, prompt: 'Go', limits: { maxRetries: 0, ...limits } }))
  let isOver = false
  void asked.finally(() => (isOver = true))
  // advanceTimersByTimeAsync would also wait for timers left over from other tests.
  while (!isOver) {
    vi.advanceTimersByTime(1000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return asked
}

test('a model can take any time before its first word', async () => {
  expect(await ask([HOUR])).toMatchObject({ reason: 'answer', text: 'word' })
})

test('a reply can take any time while words arrive', async () => {
  const { reason, text } = await ask(Array.from({ length: 200 }, () => 30_000))
  expect([reason, text.length]).toEqual(['answer', 999])
})

test('silence in the middle of a reply ends it, and the message contains the limit', async () => {
  expect(await ask([0, HOUR])).toMatchObject({
    reason: 'model_error',
    error: expect.stringMatching(/nothing for 60 s.*idleTimeout/) as string,
  })
  expect(await ask([0, HOUR], { idleTimeout: 2 * HOUR })).toMatchObject({ reason: 'answer' })
})

test('a limit for whole replies starts with the request, and the message contains it', async () => {
  expect(await ask([HOUR], { modelTimeout: 1000 })).toMatchObject({
    reason: 'model_error',
    error: expect.stringMatching(/within 1 s.*modelTimeout/) as string,
  })
})
