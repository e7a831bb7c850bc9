import { describe, expect, test, vi } from 'vitest'
import { scripted } from '../../test/scripted.ts'
import {
  type IPTKExecutor,
  PTKErrorCode,
  PTKExecutor,
  PTKManager,
  type PTKMessage,
  type PTKTool,
} from '../index.ts'

const handler = vi.fn<PTKTool['handler']>(async ({ path }) => ({ content: `content of ${path}` }))
const properties = { path: { type: 'string' } } as const
const tool: PTKTool = {
  name: 'read_file',
  description: 'Read a file',
  parameters: { type: 'object', properties, required: ['path'] },
  handler,
}
const call = (path: string): string =>
  `<PTK_CALL>{"tool":"read_file","args":{"path":"${path}"}}</PTK_CALL>`

test('execute runs the loop like the manager', async () => {
  const executor: IPTKExecutor = new PTKExecutor(scripted(call('a'), 'Done'))
  const result = await executor.execute('Read a', { tools: [tool] })
  expect(result).toMatchObject({ success: true, content: 'Done', iterations: 2 })
  expect(new PTKManager(scripted())).toBeInstanceOf(PTKExecutor)
})

describe('executeIteration', () => {
  const messages: PTKMessage[] = [{ role: 'user', content: 'Read a' }]

  test('a call: the tool runs, and its result is in the conversation', async () => {
    const llmManager = scripted(call('a'))
    const iteration = await new PTKExecutor(llmManager).executeIteration(messages, {
      tools: [tool],
    })
    expect(iteration).toMatchObject({
      type: 'tool_call',
      toolCalls: [{ tool: 'read_file', args: { path: 'a' } }],
      toolResults: [{ success: true, data: { content: 'content of a' }, error: null }],
    })
    expect(iteration).not.toHaveProperty('content')
    expect(iteration.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
    expect(llmManager.call).toHaveBeenCalledTimes(1)
  })

  test('an answer', async () => {
    const iteration = await new PTKExecutor(scripted('Done')).executeIteration(messages)
    expect(iteration).toMatchObject({
      type: 'text',
      content: 'Done',
      toolCalls: [],
      toolResults: [],
      messages: [...messages, { role: 'assistant', content: 'Done' }],
    })
  })

  test('can be called in a loop, each time with the previous messages', async () => {
    const llmManager = scripted(call('a'), call('b'), 'Done')
    const executor = new PTKExecutor(llmManager)
    const contents: (string | undefined)[] = []
    let conversation: readonly PTKMessage[] = messages
    for (let turn = 0; turn < 3; turn++) {
      const iteration = await executor.executeIteration(conversation, { tools: [tool] })
      conversation = iteration.messages
      contents.push(iteration.content)
    }
    expect(contents).toEqual([undefined, undefined, 'Done'])
    const sent = llmManager.call.mock.calls[2]![0]
    expect(sent).toContain('content of a')
    expect(sent).toContain('content of b')
    expect(sent.split('• read_file')).toHaveLength(2)
  })

  test('keeps a given system prompt', async () => {
    const system: PTKMessage = { role: 'system', content: 'Be brief.' }
    const llmManager = scripted(call('a'))
    const iteration = await new PTKExecutor(llmManager).executeIteration([system, ...messages], {
      tools: [tool],
    })
    expect(iteration.messages[0]).toEqual(system)
    expect(iteration.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
    ])
    expect(llmManager.call.mock.calls[0]![0]).toMatch(/Be brief\..*• read_file/s)
  })

  test('a tool that fails is a result', async () => {
    handler.mockRejectedValueOnce(new Error('File not found: a'))
    const iteration = await new PTKExecutor(scripted(call('a'))).executeIteration(messages, {
      tools: [tool],
    })
    expect(iteration.toolResults).toEqual([
      { success: false, data: null, error: 'File not found: a' },
    ])
  })

  test('throws if the conversation cannot continue', async () => {
    const failing = { call: vi.fn().mockRejectedValue(new Error('offline')) }
    await expect(new PTKExecutor(failing).executeIteration(messages)).rejects.toMatchObject({
      code: PTKErrorCode.LLM_CALL_FAILED,
      message: 'offline',
    })
  })
})

describe('executeTool', () => {
  const executor = new PTKExecutor(scripted())
  const tools = new Map([[tool.name, tool]])

  test('a tool that succeeds', async () => {
    expect(await executor.executeTool({ tool: 'read_file', args: { path: 'a' } }, tools)).toEqual({
      success: true,
      data: { content: 'content of a' },
      error: null,
    })
  })

  test('a tool that throws', async () => {
    handler.mockRejectedValueOnce(new Error('File not found: a'))
    expect(await executor.executeTool({ tool: 'read_file', args: { path: 'a' } }, tools)).toEqual({
      success: false,
      data: null,
      error: 'File not found: a',
    })
  })

  test.each([
    [{ tool: 'nope', args: {} }, /^Tool not found: nope$/],
    [{ tool: 'read_file', args: {} }, /^Invalid tool call: .*path/],
  ])('%j does not run', async (toolCall, error) => {
    handler.mockClear()
    expect(await executor.executeTool(toolCall, tools)).toEqual({
      success: false,
      data: null,
      error: expect.stringMatching(error),
    })
    expect(handler).not.toHaveBeenCalled()
  })

  test('a dangerous tool does not run without anyone to ask', async () => {
    handler.mockClear()
    const dangerous = new Map([[tool.name, { ...tool, dangerous: true }]])
    const result = await executor.executeTool({ tool: 'read_file', args: { path: 'a' } }, dangerous)
    expect(result.success).toBe(false)
    expect(handler).not.toHaveBeenCalled()
  })
})
