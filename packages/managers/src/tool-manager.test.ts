/**
 * The documented examples about tools, verbatim, except for these changes:
 *
 * - The middleware is `async`, since it contains `await`.
 * - `toolManager`, `tool`, `toolCall`, `args`, `path`, `workspaceRoot`, `tempDir` and
 *   `askUserConfirmation` are undefined in the document; here they are defined.
 * - Parameters that are only a comment there are an object without properties.
 * - `e.message` is read from an `Error`, since caught values have no type.
 * - A dangerous tool does not ask by itself: its manager does, and its refusal is final.
 * - Line breaks and quotes are those of the formatter.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  PTKErrorCode,
  PTKExecutionError,
  type PTKTool,
  type PTKToolCall,
  type PTKToolResult,
  ToolManager,
} from './index.ts'

const none = { type: 'object', properties: {} } as const
const parameters = {
  type: 'object',
  properties: { path: { type: 'string' } },
  required: ['path'],
} as const

const handler = vi.fn<PTKTool['handler']>()
const read: PTKTool = { name: 'read_file', description: 'Read a file', parameters, handler }

beforeEach(() => {
  handler.mockReset().mockImplementation(async ({ path }) => ({ content: `content of ${path}` }))
})
afterEach(() => {
  vi.restoreAllMocks()
})

function managerOf(...tools: PTKTool[]): ToolManager {
  const toolManager = new ToolManager()
  for (const tool of tools) toolManager.registerTool(tool)
  return toolManager
}

describe('registration', () => {
  test('a custom tool', async () => {
    const toolManager = new ToolManager()
    const search = vi.fn()

    toolManager.registerTool({
      name: 'custom_search',
      description: 'Search with custom logic',
      parameters: none,
      handler: async (args) => {
        // Custom implementation
        return search(args)
      },
    })

    search.mockResolvedValue(['a.ts'])
    expect(await toolManager.execute('custom_search', { query: 'sum' })).toEqual(['a.ts'])
    expect(search).toHaveBeenCalledExactlyOnceWith({ query: 'sum' })
    expect(toolManager.getTools().map(({ name }) => name)).toEqual(['custom_search'])
  })

  test('a name in use is rejected, and the first tool remains', async () => {
    const toolManager = managerOf(read)
    expect(() => toolManager.registerTool({ ...read, handler: () => 'other' })).toThrow(TypeError)
    expect(toolManager.getTools()).toEqual([read])
    expect(await toolManager.execute('read_file', { path: 'a' })).toEqual({
      content: 'content of a',
    })
  })
})

describe('execute', () => {
  test('returns any value that the tool returned', async () => {
    const toolManager = managerOf(read)
    const returned = { content: 'x', lines: [1, { two: 2 }] }
    for (const value of [returned, 'text', 0, false, null, []]) {
      handler.mockResolvedValueOnce(value)
      expect(await toolManager.execute('read_file', { path: 'a' })).toEqual(value)
    }
  })

  test('a handler may be synchronous, and receives a signal', async () => {
    handler.mockImplementation((_, signal) => signal instanceof AbortSignal)
    expect(await managerOf(read).execute('read_file', { path: 'a' })).toBe(true)
  })

  test.each([
    ['nope', {}, PTKErrorCode.TOOL_NOT_FOUND, /^Tool not found: nope$/],
    ['read_file', {}, PTKErrorCode.INVALID_TOOL_CALL, /^Invalid tool call: .*path/s],
    ['read_file', { path: 5 }, PTKErrorCode.INVALID_TOOL_CALL, /^Invalid tool call: .*path/s],
  ])('%s %j: %s', async (name, args, code, message) => {
    const failed = managerOf(read).execute(name, args)
    await expect(failed).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
    await expect(failed).rejects.toBeInstanceOf(PTKExecutionError)
    expect(handler).not.toHaveBeenCalled()
  })

  test('a tool that throws', async () => {
    handler.mockRejectedValue(new Error('File not found: missing-file.txt'))
    await expect(
      managerOf(read).execute('read_file', { path: 'missing-file.txt' }),
    ).rejects.toEqual(
      expect.objectContaining({
        name: 'PTKExecutionError',
        message: 'File not found: missing-file.txt',
        code: PTKErrorCode.TOOL_EXECUTION_FAILED,
      }),
    )
  })

  test('a signal stops a tool that hangs', async () => {
    const stop = new AbortController()
    handler.mockImplementation((_, signal) => {
      queueMicrotask(() => stop.abort())
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('stopped')))
      })
    })
    await expect(managerOf(read).execute('read_file', { path: 'a' }, stop.signal)).rejects.toThrow()
    expect(handler.mock.calls[0]![1].aborted).toBe(true)
  })

  test('a limit stops a tool that hangs', async () => {
    const toolManager = new ToolManager({ limits: { toolTimeout: 20 } })
    handler.mockImplementation(
      (_, signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
        }),
    )
    toolManager.registerTool(read)
    await expect(toolManager.execute('read_file', { path: 'a' })).rejects.toMatchObject({
      code: PTKErrorCode.TOOL_EXECUTION_FAILED,
    })
  })

  test('an execution error as a result', async () => {
    const run = async (tool: PTKTool, toolCall: PTKToolCall): Promise<PTKToolResult> => {
      try {
        const result = await tool.handler(toolCall.args, new AbortController().signal)
        return {
          success: true,
          data: result,
          error: null,
        }
      } catch (e) {
        return {
          success: false,
          data: null,
          error: (e as Error).message,
        }
      }
    }

    const toolCall = { tool: 'read_file', args: { path: 'a' } }
    const data = { content: 'content of a' }
    expect(await run(read, toolCall)).toEqual({ success: true, data, error: null })
    handler.mockRejectedValue(new Error('File not found: a'))
    expect(await run(read, toolCall)).toEqual({
      success: false,
      data: null,
      error: 'File not found: a',
    })
  })
})

describe('security', () => {
  test('a tool that checks its paths', async () => {
    const MAX_FILE_SIZE = 10 * 1024 * 1024 // 10MB
    const [workspaceRoot, tempDir] = ['/work/', '/tmp/']
    const ALLOWED_DIRS = [workspaceRoot, tempDir]
    handler.mockImplementation(({ path }) => {
      if (path.includes('..')) {
        throw new Error('Path traversal not allowed')
      }
      return ALLOWED_DIRS.some((each) => path.startsWith(each)) && path.length < MAX_FILE_SIZE
    })
    const toolManager = managerOf(read)
    await expect(toolManager.execute('read_file', { path: '../a' })).rejects.toThrow(
      'Path traversal not allowed',
    )
    expect(await toolManager.execute('read_file', { path: '/tmp/a' })).toBe(true)
    expect(await toolManager.execute('read_file', { path: '/etc/a' })).toBe(false)
  })

  const dangerous: PTKTool = { ...read, name: 'delete_all', dangerous: true }
  const args = { path: 'a' }

  test('denies a dangerous tool without an approver', async () => {
    await expect(managerOf(dangerous).execute('delete_all', args)).rejects.toMatchObject({
      code: PTKErrorCode.TOOL_EXECUTION_FAILED,
    })
    expect(handler).not.toHaveBeenCalled()
  })

  test('a dangerous tool needs approval each time', async () => {
    const askUserConfirmation = vi.fn(async (_tool: string, _args: object) => true)
    const toolManager = new ToolManager({ askUserConfirmation })
    toolManager.registerTool(dangerous)
    toolManager.registerTool(read)
    await toolManager.execute('read_file', args)
    expect(askUserConfirmation).not.toHaveBeenCalled()
    await toolManager.execute('delete_all', args)
    await toolManager.execute('delete_all', args)
    expect(askUserConfirmation.mock.calls).toEqual([
      ['delete_all', args],
      ['delete_all', args],
    ])
    expect(handler).toHaveBeenCalledTimes(3)
  })

  test.each([
    ['false', async () => false],
    ['anything that is not true', async () => 'yes' as unknown as boolean],
    ['nothing', async () => undefined as unknown as boolean],
    [
      'an exception',
      async () => {
        throw new Error('closed')
      },
    ],
  ])('is refused by %s', async (_, askUserConfirmation) => {
    const toolManager = new ToolManager({ askUserConfirmation })
    toolManager.registerTool(dangerous)
    await expect(toolManager.execute('delete_all', args)).rejects.toThrow()
    expect(handler).not.toHaveBeenCalled()
  })

  test('an invalid call needs no approval', async () => {
    const askUserConfirmation = vi.fn(async () => true)
    const toolManager = new ToolManager({ askUserConfirmation })
    toolManager.registerTool(dangerous)
    await expect(toolManager.execute('delete_all', {})).rejects.toThrow('Invalid tool call')
    expect(askUserConfirmation).not.toHaveBeenCalled()
  })

  test("a rule can deny one of the program's tools", async () => {
    const toolManager = new ToolManager({ permissions: { deny: ['custom_search'] } })
    toolManager.registerTool({ ...read, name: 'custom_search' })
    await expect(toolManager.execute('custom_search', args)).rejects.toThrow()
    expect(handler).not.toHaveBeenCalled()
  })
})
