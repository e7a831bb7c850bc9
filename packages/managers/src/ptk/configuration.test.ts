import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type PTKManagerConfig, PTKManager, type PTKTool } from '../index.ts'

const parameters = { type: 'object', properties: {} } as const
const handler = vi.fn<PTKTool['handler']>()
const tool: PTKTool = { name: 'fetch', description: 'Fetch', parameters, handler }

/** A manager whose model calls the tool with a different argument each time. */
function managerOf(config?: Partial<PTKManagerConfig>, answerAfter = Infinity): PTKManager {
  let number = 0
  const call = async (): Promise<string> =>
    number === answerAfter
      ? 'Done'
      : `<PTK_CALL>{"tool":"fetch","args":{"n":${number++}}}</PTK_CALL>`
  return new PTKManager({ call }, undefined, undefined, config)
}

const reset = (): Error => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })

beforeEach(() => {
  handler.mockReset().mockReturnValue('x')
  vi.spyOn(console, 'log').mockImplementation(() => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('defaultMaxIterations', () => {
  test.each([
    ['no configuration', undefined, 10],
    ['an empty one', {}, 5],
    ['2', { defaultMaxIterations: 2 }, 2],
  ])('%s: %s', async (_, config, expected) => {
    const result = await managerOf(config).execute('Go', { tools: [tool] })
    expect(result.iterations).toBe(expected)
    expect(result.error).toBe(
      `Max iterations reached (${expected}). LLM did not provide final answer.`,
    )
  })

  test('is overridden by an option', async () => {
    const result = await managerOf({}).execute('Go', { tools: [tool], maxIterations: 1 })
    expect(result.iterations).toBe(1)
  })

  test('is not overridden by an undefined option', async () => {
    const options = { tools: [tool], maxIterations: undefined } as object
    expect((await managerOf({}).execute('Go', options)).iterations).toBe(5)
  })
})

describe('defaultTimeout', () => {
  const hang = { call: () => new Promise<string>(() => {}) }

  test('ends a call that hangs', async () => {
    const result = await new PTKManager(hang, undefined, undefined, {
      defaultTimeout: 20,
    }).execute('Go')
    expect(result).toMatchObject({ success: false, errorCode: 'ABORTED' })
  })

  test('defaults to 30 seconds', async () => {
    vi.useFakeTimers()
    const ended = vi.fn()
    const result = new PTKManager(hang, undefined, undefined, {}).execute('Go').then(ended)
    await vi.advanceTimersByTimeAsync(29_990)
    expect(ended).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(20)
    await result
    expect(ended).toHaveBeenCalledWith(expect.objectContaining({ errorCode: 'ABORTED' }))
  })
})

describe('enableLogging', () => {
  test('logs iterations and calls', async () => {
    await managerOf({}, 1).execute('Go', { tools: [tool] })
    expect(vi.mocked(console.log).mock.calls).toEqual([
      ['Iteration 1: tool_call'],
      ['Tool called: fetch', { n: 0 }],
      ['Iteration 2: text'],
    ])
  })

  test.each([
    ['off', { enableLogging: false }],
    ['no configuration', undefined],
  ])('%s: logs nothing', async (_, config) => {
    await managerOf(config, 1).execute('Go', { tools: [tool] })
    expect(console.log).not.toHaveBeenCalled()
  })
})

describe('retryFailedTools and maxToolRetries', () => {
  const idempotent: PTKTool = { ...tool, idempotent: true }
  const readOnly: PTKTool = { ...tool, readOnly: true }

  /** The number of times the tool runs if it always fails with the result of `fail`. */
  async function runs(
    each: PTKTool,
    fail: () => Error,
    config?: Partial<PTKManagerConfig>,
  ): Promise<number> {
    handler.mockImplementation(() => {
      throw fail()
    })
    vi.useFakeTimers()
    const ended = managerOf(config, 1).execute('Go', { tools: [each], timeout: 600_000 })
    await vi.runAllTimersAsync()
    expect(await ended).toMatchObject({ success: true, totalToolCalls: 1 })
    return handler.mock.calls.length
  }

  test.each([
    ['idempotent, transient', idempotent, reset, {}, 3],
    ['read-only, transient', readOnly, reset, {}, 3],
    ['idempotent, its own error', idempotent, () => new Error('no such page'), {}, 1],
    ['not idempotent, transient', tool, reset, {}, 1],
    ['one retry', idempotent, reset, { maxToolRetries: 1 }, 2],
    ['off', idempotent, reset, { retryFailedTools: false }, 1],
    ['no retries', idempotent, reset, { maxToolRetries: 0 }, 1],
    ['no configuration', idempotent, reset, undefined, 1],
  ])('%s', async (_, each, fail, config, expected) => {
    expect(await runs(each, fail, config)).toBe(expected)
  })

  test('a successful retry is not an error', async () => {
    handler.mockImplementationOnce(() => {
      throw reset()
    })
    vi.useFakeTimers()
    const onError = vi.fn()
    const ended = managerOf({}, 1).execute('Go', { tools: [idempotent], onError })
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await ended).toMatchObject({ success: true })
    expect(onError).not.toHaveBeenCalled()
    expect(handler).toHaveBeenCalledTimes(2)
  })
})

describe('mistakes are reported under their own names', () => {
  test.each<[object, string]>([
    [{ timeout: 0 }, 'timeout must be a positive number of milliseconds, not 0.'],
    [{ duplicateWindow: 0 }, 'duplicateWindow must be a positive whole number, not 0.'],
    [{ maxIteration: 3 }, 'Did you mean maxIterations?'],
    [{ tools: 'now' }, 'tools must be a list of tools, or names of tools'],
    [{ tools: [null] }, 'tools must be a list of tools, or names of tools'],
    [{ tools: [{ ...tool, handler: undefined }] }, 'The handler of'],
    [{ onError: 'log' }, 'onError must be a function'],
  ])('%o', async (options, message) => {
    await expect(managerOf(undefined, 1).execute('Go', options)).rejects.toThrow(message)
    await expect(managerOf(undefined, 1).executeIteration([], options)).rejects.toThrow(message)
  })

  test('a prompt, an LLM manager and a configuration', async () => {
    const none = undefined as never
    await expect(managerOf(undefined, 1).execute(none)).rejects.toThrow(
      'The prompt must be text, not undefined.',
    )
    expect(() => new PTKManager(none)).toThrow('The LLM manager must be an object with call().')
    expect(() => managerOf({ maxToolRetries: 'two' as never }, 1)).toThrow(
      'maxToolRetries must be a whole number',
    )
  })
})
