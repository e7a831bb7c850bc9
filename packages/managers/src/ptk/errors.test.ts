import { describe, expect, test, vi } from 'vitest'
import {
  type ILLMManager,
  PTKErrorCode,
  PTKExecutionError,
  type PTKExecuteOptions,
  type PTKExecuteResult,
  PTKManager,
  type PTKTool,
} from '../index.ts'

const call = (tool: string, args?: unknown): string =>
  `<PTK_CALL>${JSON.stringify({ tool, args })}</PTK_CALL>`
const read = (path: string): string => call('read_file', { path })
const batch = (...calls: string[]): string =>
  `<PTK_BATCH>[${calls.map((each) => each.slice(10, -11)).join(', ')}]</PTK_BATCH>`

interface Executed {
  readonly result: PTKExecuteResult
  /** The paths read. */
  readonly paths: readonly string[]
  readonly errors: readonly Error[]
  /** The prompts sent to the model. */
  readonly prompts: readonly string[]
}

/** Executes a prompt with a model that gives these replies and repeats the last one. */
async function execute(
  replies: readonly (string | Error)[],
  options: PTKExecuteOptions = {},
  handler?: PTKTool['handler'],
): Promise<Executed> {
  const llm = vi.fn<ILLMManager['call']>()
  for (const [at, reply] of replies.entries()) {
    const say = async (): Promise<string> => {
      if (reply instanceof Error) throw reply
      return reply
    }
    if (at === replies.length - 1) llm.mockImplementation(say)
    else llm.mockImplementationOnce(say)
  }
  const paths: string[] = []
  const errors: Error[] = []
  const tool: PTKTool = {
    name: 'read_file',
    description: 'Read a file',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    handler: (args, signal) => {
      paths.push(args['path'])
      return handler ? handler(args, signal) : `content of ${args['path']}`
    },
  }
  const result = await new PTKManager({ call: llm }).execute('Go', {
    tools: [tool],
    onError: (error) => errors.push(error),
    ...options,
  })
  return { result, paths, errors, prompts: llm.mock.calls.map(([prompt]) => prompt) }
}

/** A failed result, which has no other fields. */
function failed(errorCode: PTKErrorCode, error: string | RegExp, iterations: number): object {
  return {
    success: false,
    content: '',
    errorCode,
    error: typeof error === 'string' ? error : expect.stringMatching(error),
    iterations,
  }
}

describe('the documented codes', () => {
  test('TOOL_NOT_FOUND: the call of an unknown tool', async () => {
    const { result, paths, errors } = await execute([call('delete_all', {})])
    expect(result).toMatchObject(failed('TOOL_NOT_FOUND', 'Tool not found: delete_all', 1))
    expect(errors).toEqual([expect.any(PTKExecutionError)])
    const context = { toolCalls: [], iteration: 1 }
    expect(errors[0]).toMatchObject({ code: 'TOOL_NOT_FOUND', message: result.error, context })
    expect([paths, result.toolCalls]).toEqual([[], []])
  })

  test('TOOL_NOT_FOUND: no other call in the same reply runs', async () => {
    const { result, paths } = await execute([batch(read('a'), call('delete_all', {}))])
    expect(result).toMatchObject(failed('TOOL_NOT_FOUND', 'Tool not found: delete_all', 1))
    expect(paths).toEqual([])
  })

  test.each([
    ['an argument is missing', call('read_file', {})],
    ['an argument has another type', call('read_file', { path: { a: 1 } })],
  ])('INVALID_TOOL_CALL: %s', async (_, reply) => {
    const { result, paths, errors } = await execute([reply, 'Done'])
    expect(result).toMatchObject(failed('INVALID_TOOL_CALL', /^Invalid tool call: .*path/s, 1))
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatchObject({ code: 'INVALID_TOOL_CALL', message: result.error })
    expect([paths, result.toolCalls]).toEqual([[], []])
  })

  test('MAX_ITERATIONS_REACHED: the model never answers', async () => {
    const replies = ['1', '2', '3', '4'].map(read)
    const { result, paths, errors, prompts } = await execute(replies, { maxIterations: 3 })
    const error = 'Max iterations reached (3). LLM did not provide final answer.'
    expect(result).toMatchObject(failed('MAX_ITERATIONS_REACHED', error, 3))
    expect(errors).toEqual([])
    expect(paths).toEqual(['1', '2', '3'])
    expect([prompts.length, result.totalToolCalls]).toEqual([3, 3])
  })

  test('MAX_TOOL_CALLS_REACHED: checked before the call runs', async () => {
    const replies = ['1', '2', '3', '4'].map(read)
    const { result, paths, errors } = await execute(replies, { maxToolCalls: 2 })
    const error = 'Max tool calls limit reached (2). Possible infinite loop.'
    expect(result).toMatchObject(failed('MAX_TOOL_CALLS_REACHED', error, 3))
    const toolCalls = ['1', '2'].map((path) => ({ tool: 'read_file', args: { path } }))
    const context = { toolCalls, iteration: 3 }
    expect(errors).toEqual([expect.objectContaining({ code: 'MAX_TOOL_CALLS_REACHED', context })])
    expect(paths).toEqual(['1', '2'])
    expect(result.totalToolCalls).toBe(2)
  })

  test.each([
    ['the tool exists', [read('1'), call('delete_all', {})]],
    ['the tool exists, in one reply', [batch(read('1'), call('delete_all', {}))]],
    ['the arguments fit', [read('1'), call('read_file', {})]],
    ['the call is whole', [read('1'), read('2').slice(0, -14)]],
  ])('MAX_TOOL_CALLS_REACHED: checked before %s', async (_, replies) => {
    const { result, paths, errors } = await execute(replies, { maxToolCalls: 1 })
    const error = 'Max tool calls limit reached (1). Possible infinite loop.'
    expect(result).toMatchObject(failed('MAX_TOOL_CALLS_REACHED', error, replies.length))
    expect(errors.map((each) => each.message)).toEqual([error])
    expect(paths).toEqual(['1'])
  })

  test('MAX_TOOL_CALLS_REACHED: an answer after the last call is accepted', async () => {
    const { result, errors } = await execute([read('1'), read('2'), 'Done'], { maxToolCalls: 2 })
    expect(result).toMatchObject({ success: true, content: 'Done', totalToolCalls: 2 })
    expect(errors).toEqual([])
  })

  test('TOOL_EXECUTION_FAILED: the model gets the error and continues', async () => {
    const { result, paths, errors, prompts } = await execute(
      [read('a'), 'No such file'],
      {},
      () => {
        throw new Error('File not found: a')
      },
    )
    expect(result).toMatchObject({ success: true, content: 'No such file', iterations: 2 })
    expect(result.toolCalls).toEqual([{ tool: 'read_file', args: { path: 'a' } }])
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatchObject({
      code: 'TOOL_EXECUTION_FAILED',
      message: 'File not found: a',
      context: expect.objectContaining({ tool: 'read_file' }),
    })
    expect(prompts[1]).toContain('PTK_ERROR: File not found: a')
    expect(paths).toEqual(['a'])
  })

  test('LLM_CALL_FAILED: the LLM manager throws', async () => {
    const offline = new Error('offline')
    const { result, paths, errors, prompts } = await execute([read('a'), offline])
    expect(result).toMatchObject(failed('LLM_CALL_FAILED', 'offline', 2))
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatchObject({ code: 'LLM_CALL_FAILED', cause: offline })
    expect(paths).toEqual(['a'])
    expect(prompts).toHaveLength(2)
    expect(result.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool'])
  })

  test.each([
    ['undefined', undefined],
    ['null', null],
    ['object', { text: 'Hi' }],
  ])('LLM_CALL_FAILED: the LLM manager returns %s', async (type, reply) => {
    const { result, errors } = await execute([reply as unknown as string])
    expect(result).toMatchObject(
      failed('LLM_CALL_FAILED', `The LLM manager's reply must be text, not ${type}.`, 1),
    )
    expect(errors).toHaveLength(1)
  })

  test('LLM_CALL_FAILED: the LLM manager throws before it returns a promise', async () => {
    const error = new Error('no key')
    const sync = (): never => {
      throw error
    }
    const result = await new PTKManager({ call: sync }).execute('Go')
    expect(result).toMatchObject(failed('LLM_CALL_FAILED', 'no key', 1))
  })

  test.each([
    ['no JSON', '<PTK_CALL>{tool read_file}</PTK_CALL>'],
    ['no tool', '<PTK_CALL>{"args": {"path": "a"}}</PTK_CALL>'],
    ['arguments that are a number', '<PTK_CALL>{"tool": "read_file", "args": 5}</PTK_CALL>'],
    ['cut off', '<PTK_CALL>{"tool": "read_file", "args": {"path": "a'],
    ['cut off after another', `${read('a')}<PTK_CALL>{"tool": "read_file", "args": {"path": "a`],
  ])('PARSE_ERROR: an unreadable call: %s', async (_, reply) => {
    const { result, paths, errors } = await execute([reply, 'Done'])
    expect(result).toMatchObject(failed('PARSE_ERROR', /./, 1))
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatchObject({ code: 'PARSE_ERROR', message: result.error })
    expect([paths, result.toolCalls]).toEqual([[], []])
  })

  test('DUPLICATE_TOOL_CALL: the third consecutive repetition', async () => {
    const { result, paths, errors, prompts } = await execute([read('a')])
    expect(result).toMatchObject(failed('DUPLICATE_TOOL_CALL', /./, 4))
    expect(errors.at(-1)).toMatchObject({ code: 'DUPLICATE_TOOL_CALL', message: result.error })
    expect(paths).toEqual(['a'])
    expect(result.totalToolCalls).toBe(1)
    expect(prompts[2]).toContain(
      '⚠️ WARNING: You just called "read_file" with the same arguments. This looks like a loop. Please try a DIFFERENT approach or provide a final answer if you have enough information.',
    )
  })
})

test('each code equals its name', () => {
  const codes = [
    'TOOL_NOT_FOUND',
    'INVALID_TOOL_CALL',
    'MAX_ITERATIONS_REACHED',
    'MAX_TOOL_CALLS_REACHED',
    'TOOL_EXECUTION_FAILED',
    'LLM_CALL_FAILED',
    'PARSE_ERROR',
    'DUPLICATE_TOOL_CALL',
  ]
  expect(PTKErrorCode).toMatchObject(Object.fromEntries(codes.map((code) => [code, code])))
  const [toolCalls, iteration] = [[], 3]
  const error = new PTKExecutionError(
    `Max tool calls limit reached (${20}). Possible infinite loop.`,
    PTKErrorCode.MAX_TOOL_CALLS_REACHED,
    { toolCalls, iteration },
  )
  expect(error).toBeInstanceOf(Error)
  expect(error).toMatchObject({
    name: 'PTKExecutionError',
    message: 'Max tool calls limit reached (20). Possible infinite loop.',
    code: 'MAX_TOOL_CALLS_REACHED',
    context: { toolCalls, iteration },
  })
  expect(new PTKExecutionError('a', PTKErrorCode.PARSE_ERROR).context).toBeUndefined()
})

describe('onMalformed', () => {
  const broken = '<PTK_CALL>{tool read_file}</PTK_CALL>'

  test('feedback: the problem is reported to the model, which tries again', async () => {
    const replies = [broken, call('nope', {}), call('read_file', {}), read('a'), 'Done']
    const { result, paths, prompts } = await execute(replies, { onMalformed: 'feedback' })
    expect(result).toMatchObject({ success: true, content: 'Done', iterations: 5 })
    expect(paths).toEqual(['a'])
    expect(prompts[1]!.slice(prompts[0]!.length)).toContain('PTK_ERROR: ')
    expect(prompts[2]!.slice(prompts[1]!.length)).toMatch(/PTK_ERROR: .*nope/s)
    expect(prompts[3]!.slice(prompts[2]!.length)).toMatch(/PTK_ERROR: .*path/s)
  })

  test('feedback: three problems in a row end the execution', async () => {
    const { result, paths } = await execute([broken], { onMalformed: 'feedback' })
    expect(result).toMatchObject(failed('PARSE_ERROR', /./, 3))
    expect(paths).toEqual([])
  })

  test('text: the call is the answer', async () => {
    const { result, paths, errors } = await execute([broken], { onMalformed: 'text' })
    expect(result).toMatchObject({ success: true, content: broken, iterations: 1 })
    expect([paths, errors]).toEqual([[], []])
  })
})
