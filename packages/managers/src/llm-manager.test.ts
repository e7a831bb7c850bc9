/**
 * The documented conversations, verbatim, except for these changes:
 *
 * - `llmManager` is undefined in the document; here it is defined, with a scripted model.
 * - The results are one line of JSON, without the document's line breaks, and always have `error`.
 * - Line breaks and quotes are those of the formatter.
 */
import { textOf } from '@toolglot/agent/internal'
import { scriptedModel } from '@toolglot/agent/testing'
import { describe, expect, it, test, vi } from 'vitest'
import { DOCUMENTED_PROMPT } from '../../core/test/documented-prompt.ts'
import { LLMManager, type PTKParameter, PTKManager, type PTKTool, ToolManager } from './index.ts'

const text = { type: 'string' } as const
const readFile = vi.fn<PTKTool['handler']>()
const listFiles = vi.fn<PTKTool['handler']>()
const toolManager = new ToolManager()
toolManager.registerTool({
  name: 'read_file',
  description: 'Read content of a file',
  parameters: { type: 'object', properties: { path: text }, required: ['path'] },
  handler: readFile,
})
toolManager.registerTool({
  name: 'list_files',
  description: 'List files in directory',
  parameters: {
    type: 'object',
    properties: { directory: text, pattern: text },
    required: ['directory'],
  },
  handler: listFiles,
})

/** A model with these replies, and its prompts. */
function conversation(...replies: string[]) {
  const model = scriptedModel(replies)
  const prompt = (turn: number): string =>
    model.requests[turn]!.messages.map(({ content }) => textOf(content)).join('\n\n')
  return { prompt, llmManager: new LLMManager(model, { toolManager }) }
}

describe('LLM Manager with Tools', () => {
  it('should execute tool and return result', async () => {
    readFile.mockResolvedValue({ content: '{"version": "1.0.0"}' })
    const { llmManager } = conversation(
      '<TOOL_CALL>{"tool":"read_file","args":{"path":"package.json"}}</TOOL_CALL>',
      'The package.json contains version 1.0.0',
    )

    const response = await llmManager.call('Read package.json')
    expect(response).toContain('version')
  })
})

describe('conversations', () => {
  test('example 1: single tool call', async () => {
    const content = '{\n  "name": "my-app",\n  "version": "1.0.0"\n}'
    readFile.mockReset().mockResolvedValue({ content, lines: 4 })
    const { llmManager, prompt } = conversation(
      `<TOOL_CALL>
{
  "tool": "read_file",
  "args": {"path": "package.json"},
  "reasoning": "Need to read package.json to get version"
}
</TOOL_CALL>`,
      'The version in package.json is 1.0.0',
    )
    expect(await llmManager.call('Read package.json and tell me the version')).toBe(
      'The version in package.json is 1.0.0',
    )
    expect(readFile.mock.calls.map(([args]) => args)).toEqual([{ path: 'package.json' }])
    expect(resultIn(prompt(1))).toEqual({
      success: true,
      data: { content, lines: 4 },
      error: null,
    })
  })

  test('example 2: multiple tool calls', async () => {
    const files = ['src/index.ts', 'src/utils.ts', 'test/test.ts']
    listFiles.mockReset().mockResolvedValue({ files, count: 3 })
    const answer = `I found 3 TypeScript files:
1. src/index.ts
2. src/utils.ts
3. test/test.ts`
    const { llmManager, prompt } = conversation(
      `<TOOL_CALL>
{
  "tool": "list_files",
  "args": {"directory": ".", "pattern": "**/*.ts"},
  "reasoning": "Need to list all TypeScript files first"
}
</TOOL_CALL>`,
      answer,
    )
    expect(await llmManager.call('Find all TypeScript files and count them')).toBe(answer)
    expect(listFiles.mock.calls.map(([args]) => args)).toEqual([
      { directory: '.', pattern: '**/*.ts' },
    ])
    expect(resultIn(prompt(1))).toEqual({
      success: true,
      data: { files, count: 3 },
      error: null,
    })
  })

  test('example 3: tool call with error', async () => {
    readFile.mockReset().mockRejectedValue(new Error('File not found: missing-file.txt'))
    const answer =
      'I cannot read missing-file.txt because the file does not exist. Would you like me to create it?'
    const { llmManager, prompt } = conversation(
      `<TOOL_CALL>
{
  "tool": "read_file",
  "args": {"path": "missing-file.txt"},
  "reasoning": "Need to read the file content"
}
</TOOL_CALL>`,
      answer,
    )
    expect(await llmManager.call('Read missing-file.txt')).toBe(answer)
    expect(resultIn(prompt(1))).toEqual({
      success: false,
      data: null,
      error: 'File not found: missing-file.txt',
    })
  })

  test('reports an invalid call to the model, which tries again', async () => {
    readFile.mockReset().mockResolvedValue({ content: 'x' })
    const { llmManager, prompt } = conversation(
      '<TOOL_CALL>{"tool":"read_file","args":{}}</TOOL_CALL>',
      '<TOOL_CALL>{"tool":"read_file","args":{"path":"a"}}</TOOL_CALL>',
      'x',
    )
    expect(await llmManager.call('Read a')).toBe('x')
    expect(prompt(1)).toMatch(
      /\nTOOL_ERROR: read_file: path: missing.*\. Please try again with correct format\.$/,
    )
    expect(readFile).toHaveBeenCalledTimes(1)
  })
})

/** The result at the end of a prompt. */
function resultIn(prompt: string): unknown {
  return JSON.parse(prompt.slice(prompt.lastIndexOf('TOOL_RESULT: ') + 'TOOL_RESULT: '.length))
}

describe('the system prompt', () => {
  test('is as documented', async () => {
    const manager = new ToolManager()
    const tools: [string, string, Record<string, PTKParameter>, number][] = [
      ['read_file', 'Read content of a file', { path: text }, 1],
      ['write_file', 'Write content to a file', { path: text, content: text }, 2],
      ['list_files', 'List files in directory', { directory: text, pattern: text }, 1],
      ['search_code', 'Search code in codebase', { query: text, options: { type: 'object' } }, 1],
      ['get_diagnostics', 'Get errors and warnings', { file: text }, 0],
    ]
    for (const [name, description, properties, count] of tools) {
      const required = Object.keys(properties).slice(0, count)
      const parameters = { type: 'object', properties, required } as const
      manager.registerTool({ name, description, parameters, handler: () => '' })
    }
    const model = scriptedModel(['Hi'])
    await new LLMManager(model, { toolManager: manager }).call('Hello')
    expect(model.requests[0]!.messages[0]).toEqual({ role: 'system', content: DOCUMENTED_PROMPT })
  })

  test('may be the program’s own, with the tools in it', async () => {
    const model = scriptedModel(['Hi'])
    const system = 'Be brief.\n{{tools}}\nBe polite.'
    await new LLMManager(model, { toolManager, system }).call('Hello')
    const [message] = model.requests[0]!.messages
    expect(message!.content).toMatch(/^Be brief\.\n.*read_file.*\nBe polite\.$/s)
  })
})

test.each([
  ['tool-yaml', 'TOOL: read_file\nARGS:\n  path: package.json'],
  ['tool-function', 'read_file(path="package.json")'],
  ['tool-xml', '<tool name="read_file">\n  <arg name="path">package.json</arg>\n</tool>'],
] as const)('the documented alternative: %s', async (protocol, reply) => {
  readFile.mockReset().mockResolvedValue({ content: 'x' })
  const model = scriptedModel([reply, 'x'])
  expect(await new LLMManager(model, { toolManager, protocol }).call('Read it')).toBe('x')
  expect(readFile.mock.calls.map(([args]) => args)).toEqual([{ path: 'package.json' }])
})

describe('without tools', () => {
  test('returns the reply without running anything', async () => {
    readFile.mockReset()
    const reply = '<TOOL_CALL>{"tool":"read_file","args":{"path":"a"}}</TOOL_CALL>'
    expect(await new LLMManager(scriptedModel([reply])).call('Read a')).toBe(reply)
    expect(readFile).not.toHaveBeenCalled()
  })

  test('finds models by name and passes on the temperature', async () => {
    const model = scriptedModel(['One'])
    const find = vi.fn(() => model)
    const llmManager = new LLMManager(find, { system: 'Be brief.' })
    expect(await llmManager.call('Hello', { model: 'small', temperature: 0 })).toBe('One')
    expect(find).toHaveBeenCalledExactlyOnceWith('small')
    expect(model.requests[0]).toMatchObject({
      temperature: 0,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello' },
      ],
    })
  })

  test('works as the LLM manager of a PTK manager', async () => {
    readFile.mockReset().mockResolvedValue({ content: 'x' })
    const model = scriptedModel([
      '<PTK_CALL>{"tool":"read_file","args":{"path":"a"}}</PTK_CALL>',
      'The file contains x',
    ])
    const result = await new PTKManager(new LLMManager(model), toolManager).execute('Read a')
    expect(result).toMatchObject({
      success: true,
      content: 'The file contains x',
      totalToolCalls: 1,
    })
  })
})

describe('failures', () => {
  test('throw for a model without tools', async () => {
    const llmManager = new LLMManager(scriptedModel([new Error('offline')]))
    await expect(llmManager.call('Hello')).rejects.toThrow('offline')
  })

  test('throw for a model with tools', async () => {
    const model = scriptedModel([new Error('offline')])
    await expect(new LLMManager(model, { toolManager }).call('Hello')).rejects.toThrow('offline')
  })

  test('a cancelled call throws', async () => {
    const { llmManager } = conversation('Hi')
    await expect(llmManager.call('Hello', { signal: AbortSignal.abort() })).rejects.toThrow()
  })

  test('a model that never answers reaches the limit', async () => {
    readFile.mockReset().mockResolvedValue({ content: 'x' })
    const reply = '<TOOL_CALL>{"tool":"read_file","args":{"path":"a"}}</TOOL_CALL>'
    const { llmManager } = conversation(...Array<string>(30).fill(reply))
    await expect(llmManager.call('Read a')).rejects.toThrow()
    expect(readFile).toHaveBeenCalledTimes(1)
  })
})
