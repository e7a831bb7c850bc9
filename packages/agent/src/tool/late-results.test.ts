import { expect, test } from 'vitest'
import { z } from 'zod'
import { executeWith } from '../../test/execute-with.ts'
import { createRegistry } from '../registry/create-registry.ts'
import type { Middleware } from '../registry/registry.ts'
import { cacheResults } from '../registry/cache-results.ts'
import { retryTools } from '../registry/retry-tools.ts'
import type { ExecuteResult } from './execute.ts'
import { tool, type ToolContext } from './tool.ts'
import { settled } from '../../../../tests/helpers/until.ts'

interface Call {
  readonly result: ExecuteResult
  readonly late: readonly ExecuteResult[]
  /** Resolves in a later turn of the event loop, after all late callbacks. */
  readonly settle: () => Promise<void>
}

type End = (give: Promise<unknown>, context: ToolContext, time: number) => unknown

interface Setting {
  readonly flags?: object
  readonly middleware?: readonly Middleware[]
  readonly stopBy?: 'signal' | 'timeout'
}

/** Calls a tool, stops it, and lets it end after the call is over. */
async function calling(
  end: End,
  { flags = {}, middleware = [], stopBy = 'signal' }: Setting = {},
): Promise<Call> {
  let release = (): void => {}
  const give = new Promise<void>((resolve) => (release = resolve))
  let times = 0
  const registry = createRegistry([
    tool({
      name: 'send',
      description: 'send',
      parameters: z.strictObject({}),
      ...flags,
      execute: (_, context) => end(give, context, times++),
      show: (result) => `shown: ${JSON.stringify(result)}`,
    }),
  ])
  for (const each of middleware) registry.use(each)
  const late: ExecuteResult[] = []
  const stop = new AbortController()
  if (stopBy === 'signal') setTimeout(() => stop.abort(), 10)
  const result = await executeWith(
    registry,
    { name: 'send', args: {} },
    {
      allow: ['send'],
      signal: stop.signal,
      onLate: (each) => void late.push(each),
      ...(stopBy === 'timeout' && { toolTimeout: 10 }),
    },
  )
  const settle = async (): Promise<void> => {
    release()
    await settled()
  }
  return { result, late, settle }
}

const interrupted = { status: 'error', failure: { details: { code: 'interrupted' } } }

test.concurrent.each<[about: string, end: End, expected: readonly object[]]>([
  [
    'returns a value',
    async (give) => (await give, { sent: 7 }),
    [{ status: 'success', result: { sent: 7 }, text: 'shown: {"sent":7}' }],
  ],
  [
    'fails',
    async (give) => (await give, Promise.reject(new Error('The server said no.'))),
    [{ status: 'error', failure: { tool: 'send', message: 'The server said no.' } }],
  ],
  ['never ends', () => new Promise(() => {}), []],
])('a tool that did not end in time and later %s', async (_, end, expected) => {
  const calls = await Promise.all([
    calling(end),
    calling(end, { stopBy: 'timeout' }),
    calling(end, { flags: { readOnly: true } }),
  ])
  for (const { result, late, settle } of calls) {
    expect(result).toMatchObject(interrupted)
    expect(late).toEqual([])
    await settle()
    expect(late).toMatchObject(expected)
    expect(late).toHaveLength(expected.length)
  }
})

test.concurrent('an end caused by the stop stays unknown; after a timeout it is known', async () => {
  const end: End = async (give, { signal }) => (await give, signal.throwIfAborted())
  const [stopped, timedOut] = await Promise.all([calling(end), calling(end, { stopBy: 'timeout' })])
  await Promise.all([stopped.settle(), timedOut.settle()])
  expect(stopped.late).toEqual([])
  expect(timedOut.late).toEqual([
    {
      status: 'error',
      failure: { tool: 'send', error_type: 'timeout', message: 'send was stopped after 10 ms.' },
    },
  ])
})

test.concurrent('does not report a tool that ended in time a second time', async () => {
  const ends: End[] = [
    () => 'at once',
    async (_, { signal }) => (await stopOf(signal), 'in time'),
    async (_, { signal }) => (await stopOf(signal), signal.throwIfAborted()),
  ]
  for (const { late, settle } of await Promise.all(ends.map((end) => calling(end)))) {
    await settle()
    expect(late).toEqual([])
  }
})

function stopOf(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
}

test.concurrent('a result that middleware did not see is hidden, but its end is reported', async () => {
  const hiding: Middleware = async (call, next) => {
    const result = await next(call)
    return result.status === 'success' ? { ...result, text: '***' } : result
  }
  const [value, failure] = await Promise.all([
    calling(async (give) => (await give, 'secret'), { middleware: [hiding] }),
    calling(async (give) => (await give, Promise.reject(new Error('secret'))), {
      middleware: [hiding],
    }),
  ])
  await Promise.all([value.settle(), failure.settle()])
  expect(value.result).toMatchObject(interrupted)
  expect(value.late).toEqual([
    {
      status: 'success',
      result: undefined,
      text: 'send finished after all. It was too late for the middleware, so the result is not shown.',
    },
  ])
  expect(failure.late).toMatchObject([
    {
      status: 'error',
      failure: {
        message:
          'send failed after it was stopped. It was too late for the middleware, so the result is not shown.',
      },
    },
  ])
})

test.concurrent('transparent middleware does not hide a late result', async () => {
  const { result, late, settle } = await calling(async (give) => (await give, 'late'), {
    middleware: [retryTools(), cacheResults()],
  })
  expect(result).toMatchObject(interrupted)
  await settle()
  expect(late).toMatchObject([{ status: 'success', result: 'late' }])
})

test.concurrent('a late first attempt does not override a successful second one', async () => {
  const { result, late, settle } = await calling(
    (give, _, time) => (time === 0 ? give.then(() => 'first') : 'second'),
    { flags: { readOnly: true }, middleware: [retryTools({ delay: 1 })], stopBy: 'timeout' },
  )
  expect(result).toMatchObject({ status: 'success', result: 'second' })
  await settle()
  expect(late).toEqual([])
})
