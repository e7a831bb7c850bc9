import { describe, expect, test, vi } from 'vitest'
import { scripted, writtenCall as call } from '../../test/scripted.ts'
import {
  type IterationInfo,
  PTKErrorCode,
  type PTKExecuteOptions,
  PTKManager,
  type PTKTool,
  type PTKToolCall,
} from '../index.ts'

const read = (path: string | number): string => call('read_file', { path: String(path) })

function toolOf(handler: PTKTool['handler'], flags: Partial<PTKTool> = {}): PTKTool {
  return {
    name: 'read_file',
    description: 'Read a file',
    parameters: { type: 'object', properties: { path: { type: 'string' } } },
    handler,
    ...flags,
  }
}

/** A model that reads a different file each time. */
function restless() {
  let number = 0
  return { call: vi.fn(async () => read(number++)) }
}

describe('defaults', () => {
  test('10 iterations', async () => {
    const llmManager = restless()
    const handler = vi.fn(() => 'x')
    const result = await new PTKManager(llmManager).execute('Go', { tools: [toolOf(handler)] })
    expect(result).toMatchObject({
      error: 'Max iterations reached (10). LLM did not provide final answer.',
      iterations: 10,
      totalToolCalls: 10,
    })
    expect(llmManager.call).toHaveBeenCalledTimes(10)
  })

  test('20 calls of tools', async () => {
    const handler = vi.fn(() => 'x')
    const result = await new PTKManager(restless()).execute('Go', {
      tools: [toolOf(handler)],
      maxIterations: 100,
    })
    expect(result).toMatchObject({
      error: 'Max tool calls limit reached (20). Possible infinite loop.',
      iterations: 21,
      totalToolCalls: 20,
    })
    expect(handler).toHaveBeenCalledTimes(20)
  })

  test('duplicates are detected among the last 3 calls that ran', async () => {
    const onDuplicateDetected = vi.fn()
    const handler = vi.fn(() => 'x')
    const replies = [read(0), read(1), read(2), read(0), read(3), read(0), 'Done']
    const result = await new PTKManager(scripted(...replies)).execute('Go', {
      tools: [toolOf(handler, { readOnly: true })],
      onDuplicateDetected,
    })
    expect(result).toMatchObject({ success: true, iterations: 7, totalToolCalls: 5 })
    expect(onDuplicateDetected.mock.calls).toEqual([[{ tool: 'read_file', args: { path: '0' } }]])
    expect(handler).toHaveBeenCalledTimes(5)
  })
})

describe('detectDuplicates and duplicateWindow', () => {
  const run = async (options: PTKExecuteOptions, ...replies: string[]) => {
    const handler = vi.fn(() => 'x')
    const onDuplicateDetected = vi.fn()
    const onToolCall = vi.fn()
    const llmManager = scripted(...replies, 'Done')
    const result = await new PTKManager(llmManager).execute('Go', {
      tools: [toolOf(handler, { readOnly: true })],
      onDuplicateDetected,
      onToolCall,
      ...options,
    })
    return { handler, onDuplicateDetected, onToolCall, llmManager, result }
  }

  test('a repeated call does not run, the model is warned, and it costs an iteration', async () => {
    const done = await run({}, read(1), read(1))
    expect(done.handler).toHaveBeenCalledTimes(1)
    expect(done.onToolCall).toHaveBeenCalledTimes(1)
    expect(done.onDuplicateDetected).toHaveBeenCalledTimes(1)
    expect(done.result).toMatchObject({ success: true, iterations: 3, totalToolCalls: 1 })
    expect(done.llmManager.call.mock.calls[2]![0]).toContain(
      '⚠️ WARNING: You just called "read_file" with the same arguments.',
    )
  })

  test('a different reason does not make a call different', async () => {
    const args = { path: '1' }
    const reply = `<PTK_CALL>${JSON.stringify({ tool: 'read_file', args, reasoning: 'Again' })}</PTK_CALL>`
    const { onDuplicateDetected } = await run({}, read(1), reply)
    expect(onDuplicateDetected.mock.calls).toEqual([
      [{ tool: 'read_file', args, reasoning: 'Again' }],
    ])
  })

  test('a different order of arguments does not make a call different', async () => {
    const { handler } = await run(
      {},
      call('read_file', { path: '1', line: 2 }),
      call('read_file', { line: 2, path: '1' }),
    )
    expect(handler).toHaveBeenCalledTimes(1)
  })

  test('off: every call runs', async () => {
    const done = await run({ detectDuplicates: false }, read(1), read(1), read(1), read(1))
    expect(done.handler).toHaveBeenCalledTimes(4)
    expect(done.onDuplicateDetected).not.toHaveBeenCalled()
    expect(done.result.success).toBe(true)
  })

  test('a window of 1 compares only the last call', async () => {
    const done = await run({ duplicateWindow: 1 }, read(1), read(2), read(1), read(1))
    expect(done.handler).toHaveBeenCalledTimes(3)
    expect(done.onDuplicateDetected).toHaveBeenCalledTimes(1)
  })

  test('let a repeatable tool be called twice', async () => {
    const handler = vi.fn(() => 'x')
    const result = await new PTKManager(scripted(read(1), read(1), 'Done')).execute('Go', {
      tools: [toolOf(handler, { repeatable: true })],
    })
    expect(result.totalToolCalls).toBe(2)
  })
})

describe('callbacks', () => {
  test('are called in order, before the tool runs', async () => {
    const order: unknown[] = []
    const infos: IterationInfo[] = []
    const replies = [`First. ${read(1)}`, read(2), read(2), 'Done']
    let reply = 0
    const llmManager = {
      call: async () => {
        order.push(`model ${reply + 1}`)
        return replies[reply++]!
      },
    }
    const handler: PTKTool['handler'] = ({ path }) => {
      order.push(`tool ${path}`)
      if (path === '2') throw new Error('failed')
      return 'x'
    }
    const result = await new PTKManager(llmManager).execute('Go', {
      tools: [toolOf(handler)],
      onIteration: (info) => {
        infos.push(info)
        order.push(`iteration ${info.iteration}`)
      },
      onToolCall: ({ args }) => order.push(`call ${args['path']}`),
      onError: ({ message }) => order.push(`error ${message}`),
      onDuplicateDetected: ({ args }) => order.push(`duplicate ${args['path']}`),
    })
    expect(result.success).toBe(true)
    expect(order).toEqual([
      ...['model 1', 'iteration 1', 'call 1', 'tool 1'],
      ...['model 2', 'iteration 2', 'call 2', 'tool 2', 'error failed'],
      ...['model 3', 'iteration 3', 'duplicate 2'],
      ...['model 4', 'iteration 4'],
    ])
    expect(infos).toEqual([
      { iteration: 1, type: 'tool_call', content: undefined, toolCallsSoFar: 0 },
      { iteration: 2, type: 'tool_call', content: undefined, toolCallsSoFar: 1 },
      { iteration: 3, type: 'tool_call', content: undefined, toolCallsSoFar: 2 },
      { iteration: 4, type: 'text', content: 'Done', toolCallsSoFar: 2 },
    ])
  })

  test('receive the call as the model wrote it', async () => {
    const calls: PTKToolCall[] = []
    const toolCall = { tool: 'read_file', args: { path: '1' }, reasoning: 'Why not' }
    const llmManager = scripted(`<PTK_CALL>${JSON.stringify(toolCall)}</PTK_CALL>`, 'Done')
    const result = await new PTKManager(llmManager).execute('Go', {
      tools: [toolOf(() => 'x')],
      onToolCall: (each) => calls.push(each),
    })
    expect(calls).toEqual([toolCall])
    expect(result.toolCalls).toEqual([toolCall])
  })

  test.each(['onIteration', 'onToolCall', 'onDuplicateDetected'] as const)(
    '%s throws: the execution ends with that error, and no more tools run',
    async (name) => {
      const handler = vi.fn(() => 'x')
      const onError = vi.fn()
      const thrown = new Error('from the callback')
      const llmManager = scripted(read(1), read(1), read(2), 'Done')
      const result = await new PTKManager(llmManager).execute('Go', {
        tools: [toolOf(handler)],
        [name]: () => {
          throw thrown
        },
        onError,
      })
      expect(result).toMatchObject({
        success: false,
        content: '',
        error: 'from the callback',
        errorCode: PTKErrorCode.ABORTED,
      })
      expect(handler).toHaveBeenCalledTimes(name === 'onDuplicateDetected' ? 1 : 0)
      expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ cause: thrown }))
    },
  )
})

test('onError that throws ends the execution and does not receive its own error', async () => {
  const onError = vi.fn(() => {
    throw new Error('from onError')
  })
  const failing = { call: vi.fn().mockRejectedValue(new Error('offline')) }
  const ended = await new PTKManager(failing).execute('Go', { onError })
  expect(ended).toMatchObject({ errorCode: 'LLM_CALL_FAILED', error: 'offline' })
  expect(onError).toHaveBeenCalledTimes(1)
  const tools = [toolOf(() => Promise.reject(new Error('broken')))]
  const calling = scripted(read('a'), 'Done')
  const stopped = await new PTKManager(calling).execute('Go', { tools, onError })
  expect(stopped).toMatchObject({ errorCode: 'ABORTED', error: 'from onError' })
  expect(onError).toHaveBeenCalledTimes(2)
})

test('model and temperature are passed to the LLM manager', async () => {
  const llmManager = scripted('Hi')
  await new PTKManager(llmManager).execute('Go', { model: 'small', temperature: 0.2 })
  expect(llmManager.call.mock.calls[0]![1]).toEqual({
    model: 'small',
    temperature: 0.2,
    signal: expect.any(AbortSignal),
  })
})
