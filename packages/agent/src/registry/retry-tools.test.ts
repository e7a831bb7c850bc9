import { expect, test } from 'vitest'
import { executeWith, messageOf } from '../../test/execute-with.ts'
import { tool } from '../tool/tool.ts'
import { ToolError } from '../tool/tool-error.ts'
import { createRegistry } from './create-registry.ts'
import { retryTools, type RetryOptions } from './retry-tools.ts'

const reset = () => Object.assign(new Error('reset'), { code: 'ECONNRESET' })
const fetchFailed = () => new TypeError('fetch failed', { cause: reset() })
const late = () => new ToolError('timeout', 'late')

function setting(failures: readonly unknown[], flags: object, options: RetryOptions = {}) {
  let tried = 0
  const slept: number[] = []
  const registry = createRegistry([
    tool({
      name: 'get',
      description: 'get',
      parameters: { type: 'object' },
      ...flags,
      execute() {
        const failure = failures[tried++]
        if (failure !== undefined) throw failure
        return `done after ${tried}`
      },
    }),
  ])
  registry.use(
    retryTools({ random: () => 1, sleep: async (time) => void slept.push(time), ...options }),
  )
  const call = async (signal?: AbortSignal) =>
    messageOf(
      await executeWith(
        registry,
        { name: 'get', args: {} },
        {
          allow: ['get'],
          ...(signal && { signal }),
        },
      ),
    )
  return { call, slept, tried: () => tried }
}

test.each([
  ['a timeout', late],
  ['a broken connection', reset],
  ['a failed fetch', fetchFailed],
])('%s is retried at most twice, with increasing delays', async (_, failure) => {
  const once = setting([failure()], { idempotent: true })
  expect(await once.call()).toBe('done after 2')
  const always = setting([failure(), failure(), failure(), failure()], { readOnly: true })
  expect(await always.call()).toContain((failure() as Error).message)
  expect([always.tried(), always.slept]).toEqual([3, [250, 500]])
})

test('jitter shortens the delay by at most half', async () => {
  const { call, slept } = setting([late(), late()], { readOnly: true }, { random: () => 0 })
  await call()
  expect(slept).toEqual([125, 250])
})

test.each([
  ['a tool with an effect', [late()], {}],
  ['a permanent failure', [new ToolError('not_found', 'gone')], { readOnly: true }],
  ['any other error', [new Error('odd')], { readOnly: true }],
  ['an unknown host', [Object.assign(new Error('who'), { code: 'ENOTFOUND' })], { readOnly: true }],
])('%s is not retried', async (_, failures, flags) => {
  const { call, tried } = setting(failures, flags)
  await call()
  expect(tried()).toBe(1)
})

test('retries at most twice, or fewer times if configured', async () => {
  const failures = Array.from({ length: 9 }, late)
  const many = setting(failures, { readOnly: true }, { retries: 9 })
  await many.call()
  expect(many.tried()).toBe(3)
  const none = setting(failures, { readOnly: true }, { retries: 0 })
  await none.call()
  expect(none.tried()).toBe(1)
})

test('an abort ends the delay', async () => {
  const stop = new AbortController()
  const { sleep: _, ...rest } = { sleep: undefined, delay: 1e9 }
  let tried = 0
  const registry = createRegistry([
    tool({
      name: 'get',
      description: 'get',
      parameters: { type: 'object' },
      readOnly: true,
      execute() {
        tried++
        queueMicrotask(() => setTimeout(() => stop.abort()))
        throw late()
      },
    }),
  ])
  registry.use(retryTools(rest))
  const outcome = executeWith(registry, { name: 'get', args: {} }, { signal: stop.signal })
  expect(messageOf(await outcome)).toBe('late')
  expect(tried).toBe(1)
})

test.each([
  ['a read-only tool', { readOnly: true }, 3],
  ['an idempotent tool', { idempotent: true }, 1],
])('%s that does not end: %j, tried %i times', async (_, flags, times) => {
  const stuck = () => new ToolError('timeout', 'stuck', { code: 'interrupted' })
  const { call, tried } = setting([stuck(), stuck(), stuck()], flags)
  expect(await call()).toBe('stuck')
  expect(tried()).toBe(times)
})

test('invalid options are rejected', () => {
  expect(() => retryTools({ retries: -1 })).toThrow('retries must be a whole number')
  expect(() => retryTools({ dealy: 1 } as RetryOptions)).toThrow('Did you mean delay?')
})
