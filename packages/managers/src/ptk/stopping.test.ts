import { afterEach, describe, expect, test, vi } from 'vitest'
import { type ILLMManager, PTKErrorCode, PTKManager, type PTKTool } from '../index.ts'

const reply = '<PTK_CALL>{"tool":"wait","args":{}}</PTK_CALL>'

function toolOf(handler: PTKTool['handler']): PTKTool {
  const parameters = { type: 'object', properties: {} } as const
  return { name: 'wait', description: 'Wait', parameters, handler }
}

/** A promise that settles only when aborted. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}

const forever = (): Promise<never> => new Promise(() => {})

const aborted = { success: false, content: '', errorCode: PTKErrorCode.ABORTED }

afterEach(() => {
  vi.useRealTimers()
})

describe('timeout', () => {
  /** Advances the fake timers. */
  const pass = (): void => void vi.advanceTimersByTimeAsync(10_000)

  test.each([
    ['that stops', (signal: AbortSignal) => untilAborted(signal)],
    ['that never stops', forever],
  ])('ends an LLM call %s', async (_, hang) => {
    vi.useFakeTimers()
    let given: AbortSignal | undefined
    const llmManager: ILLMManager = {
      call: (_, options) => {
        given = options!.signal
        pass()
        return hang(given!)
      },
    }
    const onError = vi.fn()
    const result = await new PTKManager(llmManager).execute('Go', { timeout: 1000, onError })
    expect(result).toMatchObject({ ...aborted, iterations: 1, error: expect.stringMatching(/./) })
    expect(given!.aborted).toBe(true)
    expect(onError).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ code: PTKErrorCode.ABORTED }),
    )
  })

  test.each([
    ['that stops', (signal: AbortSignal) => untilAborted(signal)],
    ['that never stops', forever],
  ])('ends a tool %s', async (_, hang) => {
    vi.useFakeTimers()
    let given: AbortSignal | undefined
    const call = vi.fn(async () => reply)
    const result = await new PTKManager({ call }).execute('Go', {
      timeout: 1000,
      tools: [
        toolOf((_, signal) => {
          given = signal
          pass()
          return hang(signal)
        }),
      ],
    })
    expect(result).toMatchObject({ ...aborted, iterations: 1, totalToolCalls: 1 })
    expect(given!.aborted).toBe(true)
    expect(call).toHaveBeenCalledTimes(1)
  })

  test('of a single tool is a result for the model', async () => {
    const call = vi.fn().mockResolvedValueOnce(reply).mockResolvedValueOnce('It took too long.')
    const onError = vi.fn()
    const result = await new PTKManager({ call }).execute('Go', {
      tools: [{ ...toolOf((_, signal) => untilAborted(signal)), timeout: 20 }],
      onError,
    })
    expect(result).toMatchObject({ success: true, content: 'It took too long.' })
    expect(onError).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ code: PTKErrorCode.TOOL_EXECUTION_FAILED }),
    )
  })
})

describe('signal', () => {
  test('that is already aborted: the model is not called', async () => {
    const call = vi.fn(async () => 'Hi')
    const signal = AbortSignal.abort()
    const result = await new PTKManager({ call }).execute('Go', { signal })
    expect(result).toMatchObject({ ...aborted, iterations: 0 })
    expect(call).not.toHaveBeenCalled()
  })

  test('stops a run when aborted during a reply', async () => {
    const stop = new AbortController()
    const call = vi.fn(() => {
      queueMicrotask(() => stop.abort())
      return forever()
    })
    const result = await new PTKManager({ call }).execute('Go', { signal: stop.signal })
    expect(result).toMatchObject({ ...aborted, iterations: 1 })
  })

  test('stops a run when aborted during a tool call', async () => {
    const stop = new AbortController()
    const call = vi.fn(async () => reply)
    const result = await new PTKManager({ call }).execute('Go', {
      signal: stop.signal,
      tools: [
        toolOf((_, signal) => {
          queueMicrotask(() => stop.abort())
          return untilAborted(signal)
        }),
      ],
    })
    expect(result).toMatchObject({ ...aborted, totalToolCalls: 1 })
    expect(call).toHaveBeenCalledTimes(1)
  })

  test('that is aborted in a callback: the tool does not run', async () => {
    const stop = new AbortController()
    const handler = vi.fn()
    const result = await new PTKManager({ call: async () => reply }).execute('Go', {
      signal: stop.signal,
      tools: [toolOf(handler)],
      onToolCall: () => stop.abort(),
    })
    expect(result).toMatchObject(aborted)
    expect(handler).not.toHaveBeenCalled()
  })
})
