import { tool } from '@toolglot/agent'
import { expect, test, vi } from 'vitest'
import { PTKManager, type PTKTool, ToolManager, type ToolManagerOptions } from './index.ts'

function managerOf(handler: PTKTool['handler'], options: ToolManagerOptions = {}): ToolManager {
  const toolManager = new ToolManager(options)
  const parameters = { type: 'object', properties: {} } as const
  const dangerous = options.askUserConfirmation !== undefined
  toolManager.registerTool({ name: 'act', description: '', parameters, handler, dangerous })
  return toolManager
}

test('an aborted call throws a PTKExecutionError', async () => {
  const reason = new Error('The user left.')
  const toolManager = managerOf(() => 'x')
  await expect(toolManager.execute('act', {}, AbortSignal.abort(reason))).rejects.toMatchObject({
    name: 'PTKExecutionError',
    code: 'ABORTED',
    message: 'The user left.',
    cause: reason,
  })
})

test("a tool's error is the cause", async () => {
  const thrown = new RangeError('boom')
  const toolManager = managerOf(() => Promise.reject(thrown))
  toolManager.use(async (_, next) => next())
  await expect(toolManager.execute('act')).rejects.toMatchObject({ message: 'boom', cause: thrown })
})

test('a failed approval request is a refusal, with the reason', async () => {
  const handler = vi.fn()
  const askUserConfirmation = (): Promise<boolean> => Promise.reject(new Error('window closed'))
  const toolManager = managerOf(handler, { askUserConfirmation })
  const message = 'Approval could not be requested: window closed'
  await expect(toolManager.execute('act')).rejects.toMatchObject({
    name: 'PTKExecutionError',
    message,
  })
  const call = vi
    .fn()
    .mockResolvedValueOnce('<PTK_CALL>{"tool":"act","args":{}}</PTK_CALL>')
    .mockResolvedValueOnce('Done')
  const ended = await new PTKManager({ call }, toolManager).execute('Go')
  expect(ended).toMatchObject({ success: true, content: 'Done' })
  expect(ended.messages.at(-2)!.content).toContain(message)
  expect(handler).not.toHaveBeenCalled()
})

test('middleware that hangs can be stopped', async () => {
  vi.useFakeTimers()
  try {
    const toolManager = managerOf(() => 'x')
    toolManager.use(() => new Promise(() => {}))
    const stop = new AbortController()
    const ended = toolManager.execute('act', {}, stop.signal)
    const refused = expect(ended).rejects.toMatchObject({ code: 'ABORTED' })
    await vi.advanceTimersByTimeAsync(10)
    stop.abort()
    await vi.advanceTimersByTimeAsync(2000)
    await refused
  } finally {
    vi.useRealTimers()
  }
})

test('middleware may return a value that JSON cannot represent', async () => {
  const circle: Record<string, unknown> = {}
  circle['self'] = circle
  for (const value of [5n, circle]) {
    const toolManager = managerOf(() => 'x')
    toolManager.use(async () => value)
    expect(await toolManager.execute('act')).toBe(value)
  }
})

test.each([[{}], [null], [{ tool: 'act' }]])(
  'next(%o) is an error in the middleware',
  async (changed) => {
    const toolManager = managerOf(() => 'x')
    toolManager.use(async (_, next) => next(changed as never))
    await expect(toolManager.execute('act')).rejects.toThrow(
      'Middleware must call next() or next({ tool, args })',
    )
  },
)

test('a tool removed from the registry is no longer listed', async () => {
  const toolManager = managerOf(() => 'x')
  toolManager.callOptions().registry.remove('act')
  expect(toolManager.getTools()).toEqual([])
  const call = vi.fn().mockResolvedValueOnce('Hi')
  expect(await new PTKManager({ call }, toolManager).execute('Go')).toMatchObject({ success: true })
})

test.each(['handler', 'tool()'])(
  'a tool that ends after its timeout has failed, regardless of its result: %s',
  async (kind) => {
    const toolManager = new ToolManager()
    const parameters = { type: 'object', properties: {} } as const
    const act = { name: 'act', description: '', parameters, timeout: 1 }
    const handler: PTKTool['handler'] = (_, signal) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve('done')))
    toolManager.registerTool(
      kind === 'handler'
        ? { ...act, handler }
        : tool({ ...act, execute: (args, { signal }) => handler(args, signal) }),
    )
    await expect(toolManager.execute('act')).rejects.toMatchObject({
      message: expect.stringContaining('act ended after its timeout'),
      context: { error_type: 'timeout' },
    })
  },
)
