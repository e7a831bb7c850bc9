/**
 * The documented examples of the PTK manager, verbatim, except for these changes:
 *
 * - `jest.fn` is `vi.fn`, since the tests run in vitest. They clean up their logs.
 * - `llmManager`, `toolManager`, `contextManager`, `updateProgressBar`, `showNotification` and
 *   `showError` are undefined in the document; here they are defined. Models are scripted.
 * - The three usage examples all declare `const result`, so each has its own test.
 * - Line breaks and quotes are those of the formatter.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { scripted, writtenCall as call } from '../../test/scripted.ts'
import {
  ContextManager,
  type IPTKManager,
  PTKManager,
  type PTKTool,
  ToolManager,
} from '../index.ts'

const path = { type: 'string', description: 'File path' } as const
const parameters = { type: 'object', properties: { path }, required: ['path'] } as const
const readFile = vi.fn<PTKTool['handler']>()
const writeFile = vi.fn<PTKTool['handler']>()
const searchFiles = vi.fn<PTKTool['handler']>()
const runTests = vi.fn<PTKTool['handler']>()

let toolManager: ToolManager
let contextManager: ContextManager

beforeEach(() => {
  vi.resetAllMocks()
  vi.spyOn(console, 'log').mockImplementation(() => {})
  readFile.mockImplementation(async ({ path }) => ({ content: `// ${path}` }))
  searchFiles.mockResolvedValue({ files: ['a.ts', 'b.ts'] })
  runTests.mockResolvedValue({ failures: 1 })
  writeFile.mockResolvedValue({ success: true })
  contextManager = new ContextManager()
  toolManager = new ToolManager()
  const description = 'Read content of a file'
  toolManager.registerTool({ name: 'read_file', description, parameters, handler: readFile })
  const any = { type: 'object', properties: {} } as const
  toolManager.registerTool({
    name: 'write_file',
    description: 'Write',
    parameters: any,
    handler: writeFile,
  })
  toolManager.registerTool({
    name: 'search_files',
    description: 'Search',
    parameters: any,
    handler: searchFiles,
  })
  toolManager.registerTool({
    name: 'run_tests',
    description: 'Test',
    parameters: any,
    handler: runTests,
  })
})

afterEach(() => {
  vi.restoreAllMocks()
})

describe('PTKManager', () => {
  test('should execute simple tool call', async () => {
    const mockLLM = {
      call: vi
        .fn()
        .mockResolvedValueOnce(
          '<PTK_CALL>{"tool":"read_file","args":{"path":"test.ts"}}</PTK_CALL>',
        )
        .mockResolvedValueOnce('The file contains 5 functions'),
    }

    const mockTool = {
      execute: vi.fn().mockResolvedValue({ content: 'function test() {}...' }),
    }

    const ptkManager = new PTKManager(mockLLM, mockTool, contextManager)

    const result = await ptkManager.execute('Read test.ts', {
      tools: ['read_file'],
    })

    expect(result.success).toBe(true)
    expect(result.iterations).toBe(2)
    expect(result.content).toContain('5 functions')

    expect(mockTool.execute.mock.calls).toEqual([
      ['read_file', { path: 'test.ts' }, expect.any(AbortSignal)],
    ])
  })

  test('should handle max iterations', async () => {
    const mockLLM = {
      call: vi
        .fn()
        .mockResolvedValue('<PTK_CALL>{"tool":"read_file","args":{"path":"test.ts"}}</PTK_CALL>'),
    }

    const ptkManager = new PTKManager(mockLLM, toolManager, contextManager)

    const result = await ptkManager.execute('Read test.ts', {
      tools: ['read_file'],
      maxIterations: 3,
    })

    expect(result.success).toBe(false)
    expect(result.error).toContain('Max iterations')

    expect(result.error).toBe('Max iterations reached (3). LLM did not provide final answer.')
    expect(readFile).toHaveBeenCalledTimes(1)
  })
})

describe('usage', () => {
  test('example 1: simple tool calling', async () => {
    const answer = 'The test.ts file contains 5 functions'
    const llmManager = scripted(call('read_file', { path: 'test.ts' }), answer)

    const ptkManager = new PTKManager(llmManager, toolManager, contextManager)

    // PTK orchestrates, LLM Manager executes LLM calls
    const result = await ptkManager.orchestrateToolCalling(
      'Read the test.ts file and count the number of functions',
      {
        tools: ['read_file'],
      },
    )

    console.log(result.content)
    // "The test.ts file contains 5 functions"

    expect(console.log).toHaveBeenCalledWith('The test.ts file contains 5 functions')
    expect(readFile.mock.calls[0]![0]).toEqual({ path: 'test.ts' })
  })

  test('example 2: multiple tool calls', async () => {
    const llmManager = scripted(
      call('search_files', { pattern: '**/*.ts' }),
      call('read_file', { path: 'a.ts' }),
      call('read_file', { path: 'b.ts' }),
      'a.ts has tests, b.ts has none.',
    )
    const ptkManager = new PTKManager(llmManager, toolManager, contextManager)

    const result = await ptkManager.orchestrateToolCalling(
      'Find all TypeScript files and check if they have tests',
      {
        tools: ['search_files', 'read_file'],
        maxIterations: 10,

        onToolCall: (toolCall) => {
          console.log(`Calling ${toolCall.tool}:`, toolCall.args)
        },
      },
    )

    expect(result).toMatchObject({
      success: true,
      content: 'a.ts has tests, b.ts has none.',
      iterations: 4,
      totalToolCalls: 3,
    })
    expect(vi.mocked(console.log).mock.calls).toEqual([
      ['Calling search_files:', { pattern: '**/*.ts' }],
      ['Calling read_file:', { path: 'a.ts' }],
      ['Calling read_file:', { path: 'b.ts' }],
    ])
  })

  test('example 3: with callbacks', async () => {
    const [updateProgressBar, showNotification, showError] = [vi.fn(), vi.fn(), vi.fn()]
    readFile.mockRejectedValueOnce(new Error('File not found: sum.ts'))
    const llmManager = scripted(
      call('run_tests', {}),
      call('read_file', { path: 'sum.ts' }),
      call('write_file', { path: 'sum.ts' }),
      'Fixed.',
    )
    const ptkManager = new PTKManager(llmManager, toolManager, contextManager)

    const result = await ptkManager.orchestrateToolCalling('Run tests and fix any failures', {
      tools: ['run_tests', 'read_file', 'write_file'],
      maxIterations: 10,

      onIteration: (info) => {
        updateProgressBar(`Iteration ${info.iteration}: ${info.type}`)
      },

      onToolCall: (toolCall) => {
        showNotification(`Running tool: ${toolCall.tool}`)
      },

      onError: (error) => {
        showError(`PTK error: ${error.message}`)
      },
    })

    expect(result).toMatchObject({ success: true, content: 'Fixed.' })
    expect(updateProgressBar.mock.calls.flat()).toEqual([
      'Iteration 1: tool_call',
      'Iteration 2: tool_call',
      'Iteration 3: tool_call',
      'Iteration 4: text',
    ])
    expect(showNotification.mock.calls.flat()).toEqual([
      'Running tool: run_tests',
      'Running tool: read_file',
      'Running tool: write_file',
    ])
    expect(showError.mock.calls.flat()).toEqual(['PTK error: File not found: sum.ts'])
  })
})

test('the course of a tool call, from the prompt to the answer', async () => {
  const reply = `I'll read the package.json file.
<PTK_CALL>
{
  "tool": "read_file",
  "args": {"path": "package.json"},
  "reasoning": "Need to read package.json to get version"
}
</PTK_CALL>`
  readFile.mockResolvedValue({ content: '{"name": "my-app", "version": "1.2.3"}', size: 45 })
  const llmManager = scripted(reply, 'The version is 1.2.3')
  const ptkManager: IPTKManager = new PTKManager(llmManager, toolManager, contextManager)
  const onToolCall = vi.fn()
  const prompt = 'Read package.json and tell me the version'

  const result = await ptkManager.orchestrateToolCalling(prompt, {
    tools: ['read_file'],
    onToolCall,
  })

  const [first, second] = llmManager.call.mock.calls.map(([text]) => text)
  expect(first).toContain(
    '• read_file: Read content of a file\n  Parameters:\n    - path: string (required) - File path',
  )
  expect(first).toContain('<PTK_CALL>')
  expect(first).toContain(prompt)
  expect(first).not.toContain('run_tests')
  const toolCall = {
    tool: 'read_file',
    args: { path: 'package.json' },
    reasoning: 'Need to read package.json to get version',
  }
  expect(onToolCall.mock.calls).toEqual([[toolCall]])
  expect(readFile).toHaveBeenCalledExactlyOnceWith(toolCall.args, expect.any(AbortSignal))
  expect(second).toContain(reply)
  expect(second).toMatch(/PTK_RESULT: \{"content": ?"\{\\"name\\"/)
  expect(result).toMatchObject({
    success: true,
    content: 'The version is 1.2.3',
    iterations: 2,
    toolCalls: [toolCall],
    totalToolCalls: 1,
    duration: expect.any(Number),
    totalTokens: expect.any(Number),
  })
  expect(result).not.toHaveProperty('error')
  expect(result.messages.map(({ role }) => role)).toEqual([
    'system',
    'user',
    'assistant',
    'tool',
    'assistant',
  ])
  const [, user, assistant, tool, last] = result.messages
  expect([user!.content, assistant!.content]).toEqual([prompt, reply])
  expect(tool!.content).toMatch(/^PTK_RESULT: .*1\.2\.3/)
  expect(last!.content).toBe('The version is 1.2.3')
})
