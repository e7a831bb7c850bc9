import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type ILLMManager,
  PTKErrorCode,
  PTKManager,
  type PTKTool,
  type PTKToolCall,
  ToolManager,
} from '../index.ts'

const handler = vi.fn<PTKTool['handler']>()
let toolManager: ToolManager

beforeEach(() => {
  handler.mockReset().mockImplementation(async ({ path }) => ({ content: `content of ${path}` }))
  toolManager = new ToolManager()
  const properties = { path: { type: 'string' } } as const
  toolManager.registerTool({
    name: 'read_file',
    description: 'Read a file',
    parameters: { type: 'object', properties, required: ['path'] },
    handler,
  })
})
afterEach(() => {
  vi.restoreAllMocks()
})

const run = (path = 'a'): Promise<unknown> => toolManager.execute('read_file', { path })

test('the documented middleware logs the name and the duration', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})

  toolManager.use(async (toolCall, next) => {
    console.log(`Executing: ${toolCall.tool}`)
    const start = Date.now()
    const result = await next()
    console.log(`Duration: ${Date.now() - start}ms`)
    return result
  })

  expect(await run()).toEqual({ content: 'content of a' })
  expect(log.mock.calls).toEqual([
    ['Executing: read_file'],
    [expect.stringMatching(/^Duration: \d+ms$/)],
  ])
})

test('the first middleware is the outermost, and each can be removed', async () => {
  const order: string[] = []
  const remove = ['outer', 'inner'].map((name) =>
    toolManager.use(async (_, next) => {
      order.push(name)
      return next()
    }),
  )
  await run()
  remove[0]!()
  await run()
  expect(order).toEqual(['outer', 'inner', 'inner'])
})

describe('changed arguments', () => {
  test('are passed to the tool', async () => {
    toolManager.use((toolCall, next) => next({ ...toolCall, args: { path: 'b' } }))
    expect(await run()).toEqual({ content: 'content of b' })
  })

  test('are validated again', async () => {
    toolManager.use((toolCall, next) => next({ ...toolCall, args: { path: 5 } }))
    await expect(run()).rejects.toMatchObject({ code: PTKErrorCode.INVALID_TOOL_CALL })
    expect(handler).not.toHaveBeenCalled()
  })

  test('are checked against permissions again', async () => {
    const askUserConfirmation = vi.fn(
      async (_: string, args: PTKToolCall['args']) => args['path'] === 'a',
    )
    toolManager = new ToolManager({ askUserConfirmation })
    toolManager.registerTool({
      name: 'read_file',
      description: 'Read a file',
      parameters: { type: 'object', properties: {} },
      dangerous: true,
      handler,
    })
    expect(await run()).toEqual({ content: 'content of a' })
    toolManager.use((toolCall, next) => next({ ...toolCall, args: { path: '/etc/passwd' } }))
    handler.mockClear()
    await expect(run()).rejects.toMatchObject({ code: PTKErrorCode.TOOL_EXECUTION_FAILED })
    expect(handler).not.toHaveBeenCalled()
  })

  test('apply if changed in place', async () => {
    toolManager.use(async (toolCall, next) => {
      toolCall.args['path'] = 5
      return next()
    })
    await expect(run()).rejects.toMatchObject({ code: PTKErrorCode.INVALID_TOOL_CALL })
    expect(handler).not.toHaveBeenCalled()
  })
})

test('middleware that returns a result itself prevents the tool from running', async () => {
  const cached = { content: 'cached' }
  toolManager.use(async () => cached)
  expect(await run()).toEqual(cached)
  expect(handler).not.toHaveBeenCalled()
})

test('middleware that changes the result', async () => {
  toolManager.use(async (_, next) => ({ wrapped: await next() }))
  expect(await run()).toEqual({ wrapped: { content: 'content of a' } })
})

test('middleware that swallows an error', async () => {
  handler.mockRejectedValue(new Error('disk full'))
  const errors: unknown[] = []
  toolManager.use(async (_, next) => {
    try {
      return await next()
    } catch (error) {
      errors.push(error)
      return 'nothing there'
    }
  })
  expect(await run()).toBe('nothing there')
  expect(errors).toEqual([expect.objectContaining({ message: 'disk full' })])
})

test('middleware that retries: only an idempotent tool runs twice', async () => {
  toolManager.registerTool({
    name: 'look_up',
    description: 'Look it up',
    parameters: { type: 'object', properties: {} },
    idempotent: true,
    handler,
  })
  toolManager.use(async (_, next) => {
    try {
      return await next()
    } catch {
      return next()
    }
  })
  handler.mockRejectedValueOnce(new Error('busy'))
  await expect(run()).rejects.toThrow('read_file has already run, and is not run again')
  expect(handler).toHaveBeenCalledTimes(1)
  handler.mockRejectedValueOnce(new Error('busy'))
  expect(await toolManager.execute('look_up', { path: 'a' })).toEqual({ content: 'content of a' })
  expect(handler).toHaveBeenCalledTimes(3)
})

test("a tool's error passes through; an error in middleware is a failure", async () => {
  handler.mockRejectedValue(new Error('disk full'))
  const remove = toolManager.use((_, next) => next())
  await expect(run()).rejects.toMatchObject({
    message: 'disk full',
    code: PTKErrorCode.TOOL_EXECUTION_FAILED,
  })
  remove()
  toolManager.use(async () => {
    throw new Error('not today')
  })
  await expect(run()).rejects.toMatchObject({
    message: expect.stringContaining('not today'),
    code: PTKErrorCode.TOOL_EXECUTION_FAILED,
  })
})

test('also applies to a manager used by a model', async () => {
  const seen: PTKToolCall[] = []
  toolManager.use(async (toolCall, next) => {
    seen.push(toolCall)
    return { seen: await next() }
  })
  const call = vi
    .fn<ILLMManager['call']>()
    .mockResolvedValueOnce('<PTK_CALL>{"tool":"read_file","args":{"path":"a"}}</PTK_CALL>')
    .mockResolvedValueOnce('Done')
  const result = await new PTKManager({ call }, toolManager).execute('Read a')
  expect(result).toMatchObject({ success: true, totalToolCalls: 1 })
  expect(seen).toEqual([{ tool: 'read_file', args: { path: 'a' } }])
  expect(call.mock.calls[1]![0]).toMatch(/PTK_RESULT: \{"seen": ?\{"content"/)
})
