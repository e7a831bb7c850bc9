import { beforeEach, describe, expect, test, vi } from 'vitest'
import { scripted, writtenCall as call } from '../../test/scripted.ts'
import { type IToolManager, PTKManager, type PTKTool, ToolManager } from '../index.ts'

const handler = vi.fn<(name: string) => unknown>()
const toolOf = (name: string): PTKTool => ({
  name,
  description: `Description of ${name}`,
  parameters: { type: 'object', properties: {} },
  handler: () => handler(name),
})

beforeEach(() => {
  handler.mockReset().mockReturnValue('x')
})

describe('a tool manager that cannot list its tools', () => {
  test('receives unchecked names and unchanged arguments', async () => {
    const execute = vi.fn<IToolManager['execute']>(async () => 'x')
    const llmManager = scripted(call('anything', { a: [1, { b: null }] }), 'Done')
    const result = await new PTKManager(llmManager, { execute }).execute('Go', {
      tools: ['anything'],
    })
    expect(execute.mock.calls).toEqual([
      ['anything', { a: [1, { b: null }] }, expect.any(AbortSignal)],
    ])
    expect(result).toMatchObject({ success: true, totalToolCalls: 1 })
    expect(llmManager.call.mock.calls[0]![0]).toContain('• anything')
  })

  test('a name that was not passed is not found', async () => {
    const execute = vi.fn()
    const result = await new PTKManager(scripted(call('other')), { execute }).execute('Go', {
      tools: ['anything'],
    })
    expect(result.errorCode).toBe('TOOL_NOT_FOUND')
    expect(execute).not.toHaveBeenCalled()
  })

  test('without names there are no tools', async () => {
    const llmManager = scripted('Hi')
    await new PTKManager(llmManager, { execute: vi.fn() }).execute('Go')
    expect(llmManager.call.mock.calls[0]![0]).toBe('Go')
  })

  test('an error that it throws is a result', async () => {
    const execute = vi.fn().mockRejectedValue(new Error('no such tool'))
    const llmManager = scripted(call('anything'), 'Sorry')
    const result = await new PTKManager(llmManager, { execute }).execute('Go', {
      tools: ['anything'],
    })
    expect(result).toMatchObject({ success: true, content: 'Sorry' })
    expect(llmManager.call.mock.calls[1]![0]).toContain('PTK_ERROR: no such tool')
  })
})

describe('a tool manager that lists its tools', () => {
  const listing: IToolManager = {
    execute: async () => 'x',
    getTools: () => [toolOf('one'), toolOf('two')],
  }

  test('are all used by default', async () => {
    const llmManager = scripted('Hi')
    await new PTKManager(llmManager, listing).execute('Go')
    expect(llmManager.call.mock.calls[0]![0]).toMatch(/• one: Description of one.*• two/s)
  })

  test.each([
    ['one of its own', listing],
    ['a ToolManager', managerOf('one', 'two')],
  ])('rejects an unknown name before sending a request: %s', async (_, manager) => {
    const llmManager = scripted('Hi')
    await expect(
      new PTKManager(llmManager, manager).execute('Go', { tools: ['one', 'three'] }),
    ).rejects.toThrow(/"?three"?.*one, two/)
    await expect(
      new PTKManager(llmManager, manager).execute('Go', { tools: ['three'] }),
    ).rejects.toThrow(TypeError)
    expect(llmManager.call).not.toHaveBeenCalled()
  })

  test('lets the model call only the named tools', async () => {
    const result = await new PTKManager(scripted(call('two')), managerOf('one', 'two')).execute(
      'Go',
      { tools: ['one'] },
    )
    expect(result.errorCode).toBe('TOOL_NOT_FOUND')
    expect(handler).not.toHaveBeenCalled()
  })
})

function managerOf(...names: string[]): ToolManager {
  const manager = new ToolManager()
  for (const name of names) manager.registerTool(toolOf(name))
  return manager
}

test('a name without a tool manager is rejected', async () => {
  await expect(new PTKManager(scripted()).execute('Go', { tools: ['one'] })).rejects.toThrow(
    new TypeError('There is no tool manager to find one. Pass one, or the tool itself.'),
  )
})

describe('tools and names', () => {
  test.each([
    ['a ToolManager', managerOf('one')],
    ['a manager that cannot list', { execute: async (name: string) => handler(name) }],
  ])('can be mixed: %s', async (_, manager) => {
    const llmManager = scripted(call('one'), call('own'), 'Done')
    const result = await new PTKManager(llmManager, manager).execute('Go', {
      tools: ['one', toolOf('own')],
    })
    expect(result).toMatchObject({ success: true, totalToolCalls: 2 })
    expect(handler.mock.calls.map(([name]) => name)).toEqual(['one', 'own'])
  })

  test('a registered tool may be passed as an object', async () => {
    const tool = toolOf('one')
    const manager = new ToolManager()
    manager.registerTool(tool)
    const seen = vi.fn()
    manager.use((toolCall, next) => {
      seen(toolCall.tool)
      return next()
    })
    const result = await new PTKManager(scripted(call('one'), 'Done'), manager).execute('Go', {
      tools: [tool],
    })
    expect(result).toMatchObject({ success: true, totalToolCalls: 1 })
    expect(handler).toHaveBeenCalledTimes(1)
    expect(seen).toHaveBeenCalledExactlyOnceWith('one')
  })

  test('a given tool replaces a tool with the same name, for this execution', async () => {
    const own = vi.fn(() => 'y')
    const manager = managerOf('one')
    const options = { tools: [{ ...toolOf('one'), handler: own }] }
    await new PTKManager(scripted(call('one'), 'Done'), manager).execute('Go', options)
    expect([own.mock.calls.length, handler.mock.calls.length]).toEqual([1, 0])
    await new PTKManager(scripted(call('one'), 'Done'), manager).execute('Go')
    expect([own.mock.calls.length, handler.mock.calls.length]).toEqual([1, 1])
  })

  test('an empty list means no tools', async () => {
    const llmManager = scripted('Hi')
    await new PTKManager(llmManager, managerOf('one')).execute('Go', { tools: [] })
    expect(llmManager.call.mock.calls[0]![0]).toBe('Go')
  })
})

describe('several calls in one reply', () => {
  const batch =
    '<PTK_BATCH>[{"tool":"one","args":{"n":1},"reasoning":"First"}, {"tool":"two","args":{"n":2}}]</PTK_BATCH>'

  test.each([
    ['a batch', batch],
    ['one after the other', `${call('one', { n: 1 })}\n${call('two', { n: 2 })}`],
  ])('%s: all run in order, and the model gets every result', async (_, reply) => {
    handler.mockImplementation((name) => `result of ${name}`)
    const infos: number[] = []
    const onToolCall = vi.fn()
    const llmManager = scripted(reply, 'Done')
    const result = await new PTKManager(llmManager, managerOf('one', 'two')).execute('Go', {
      onToolCall,
      onIteration: ({ toolCallsSoFar }) => infos.push(toolCallsSoFar),
    })
    expect(result).toMatchObject({ success: true, iterations: 2, totalToolCalls: 2 })
    expect(result.toolCalls.map(({ tool }) => tool)).toEqual(['one', 'two'])
    expect(onToolCall.mock.calls.map(([{ tool }]) => tool)).toEqual(['one', 'two'])
    expect(handler.mock.calls.map(([name]) => name)).toEqual(['one', 'two'])
    expect(infos).toEqual([0, 2])
    expect(llmManager.call.mock.calls[1]![0]).toMatch(
      /PTK_RESULT: .*result of one.*PTK_RESULT: .*result of two/s,
    )
  })

  test('the limit of calls applies within a reply', async () => {
    const result = await new PTKManager(scripted(batch), managerOf('one', 'two')).execute('Go', {
      maxToolCalls: 1,
    })
    expect(result).toMatchObject({
      success: false,
      error: 'Max tool calls limit reached (1). Possible infinite loop.',
    })
    expect(handler.mock.calls.length).toBeLessThanOrEqual(1)
  })

  test('a failure does not stop the next call', async () => {
    handler.mockImplementationOnce(() => {
      throw new Error('broken')
    })
    const onError = vi.fn()
    const result = await new PTKManager(scripted(batch, 'Done'), managerOf('one', 'two')).execute(
      'Go',
      { onError },
    )
    expect(result).toMatchObject({ success: true, totalToolCalls: 2 })
    expect(onError).toHaveBeenCalledTimes(1)
  })
})

describe('selection of tools', () => {
  test('a disabled tool cannot be named and is otherwise omitted', async () => {
    const toolManager = new ToolManager()
    for (const name of ['a', 'b']) toolManager.registerTool(toolOf(name))
    toolManager.callOptions().registry.configure({ toolToggles: { b: false } })
    const llmManager = scripted('x')
    const manager = new PTKManager(llmManager, toolManager)
    await expect(manager.execute('Go', { tools: ['a', 'b'] })).rejects.toThrow(
      'The tool b is turned off.',
    )
    await manager.execute('Go')
    expect(llmManager.call.mock.calls[0]![0]).not.toContain('Description of b')
  })

  test('an object replaces a tool of any manager, and a name may be repeated', async () => {
    const execute = vi.fn<IToolManager['execute']>(async () => 'x')
    const tools = ['a', 'b', toolOf('a'), 'b']
    await new PTKManager(scripted(call('a') + call('b'), 'Done'), { execute }).execute('Go', {
      tools,
    })
    expect(handler.mock.calls).toEqual([['a']])
    expect(execute.mock.calls.map(([name]) => name)).toEqual(['b'])
  })

  test('a rule of the manager may refer to an object', async () => {
    const toolManager = new ToolManager({ permissions: { deny: ['a'] } })
    const manager = new PTKManager(scripted(call('a'), 'Done'), toolManager)
    const { toolCalls } = await manager.execute('Go', { tools: [toolOf('a')] })
    expect(toolCalls).toEqual([])
    expect(handler).not.toHaveBeenCalled()
  })

  test('tools listed by a manager can be passed to another one', async () => {
    const toolManager = new ToolManager()
    const { handler: _, ...tool } = toolOf('a')
    toolManager.registerTool({ ...tool, execute: () => handler('a') })
    const tools = toolManager.getTools()
    await new PTKManager(scripted(call('a'), 'Done')).execute('Go', { tools })
    expect(handler).toHaveBeenCalledTimes(1)
  })
})

describe('executeTool', () => {
  const run = (toolManager: ToolManager, tool: PTKTool) => {
    toolManager.registerTool(tool)
    const manager = new PTKManager(scripted(), toolManager)
    return manager.executeTool({ tool: 'a', args: {} }, new Map([['a', tool]]))
  }

  test('follows the rules of the tool manager', async () => {
    const denied = await run(new ToolManager({ permissions: { deny: ['a'] } }), toolOf('a'))
    expect(denied).toMatchObject({ success: false, error: expect.stringMatching('denies') })
    expect(handler).not.toHaveBeenCalled()
  })

  test('uses its approvals and its middleware', async () => {
    const toolManager = new ToolManager({ askUserConfirmation: async () => true })
    toolManager.use(async (_, next) => [await next()])
    const ended = await run(toolManager, { ...toolOf('a'), dangerous: true })
    expect(ended).toEqual({ success: true, data: ['x'], error: null })
  })
})
