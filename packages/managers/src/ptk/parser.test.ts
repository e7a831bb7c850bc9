import { describe, expect, test } from 'vitest'
import {
  type IPTKParser,
  PTKParser,
  type PTKToolCall,
  type IPTKFormatter,
  PTKFormatter,
  type PTKTool,
} from '../index.ts'

const parser: IPTKParser = new PTKParser()

const valid = '<PTK_CALL>{"tool":"read_file","args":{"path":"test.ts"}}</PTK_CALL>'
const toolCall: PTKToolCall = { tool: 'read_file', args: { path: 'test.ts' } }

describe('parse', () => {
  test.each([
    ['a call', valid, toolCall],
    ['with text around it', `I'll read it.\n${valid}\nWait.`, toolCall],
    ['tags in lower case', valid.replaceAll('PTK_CALL', 'ptk_call'), toolCall],
    ['legacy tags', valid.replaceAll('PTK_CALL', 'TOOL_CALL'), toolCall],
    [
      'with a reason',
      '<PTK_CALL>\n{\n  "tool": "ping",\n  "args": {},\n  "reasoning": "Is it up?"\n}\n</PTK_CALL>',
      { tool: 'ping', args: {}, reasoning: 'Is it up?' },
    ],
    ['the first of several', `${valid}${valid.replace('test.ts', 'b.ts')}`, toolCall],
    [
      'the first of a batch',
      '<PTK_BATCH>[{"tool":"a","args":{}},{"tool":"b","args":{}}]</PTK_BATCH>',
      { tool: 'a', args: {} },
    ],
    ['a mark in an argument', valid.replace('test', '</PTK_CALL>'), undefined],
  ])('%s', (_, raw, expected = { tool: 'read_file', args: { path: '</PTK_CALL>.ts' } }) => {
    expect(parser.parse(raw)).toEqual({ type: 'tool_call', toolCall: expected, raw })
    expect(parser.extract(raw)).toEqual(expected)
  })

  test.each([
    ['an answer', 'The version is 1.2.3'],
    ['an empty reply', ''],
    ['no JSON', '<PTK_CALL>{invalid json}</PTK_CALL>'],
    ['no tool', '<PTK_CALL>{"args": {}}</PTK_CALL>'],
    ['cut off', 'Look: <PTK_CALL>{"tool":"read_file","args":{"path":"te'],
    ['a tag alone', 'Write <PTK_CALL> first.'],
  ])('%s is text', (_, raw) => {
    expect(parser.parse(raw)).toEqual({ type: 'text', content: raw, raw })
    expect(parser.extract(raw)).toBeNull()
  })
})

describe('validate', () => {
  test.each([
    [toolCall, { valid: true }],
    [{ tool: 'ping', args: {} }, { valid: true }],
    [
      { tool: '', args: {} },
      { valid: false, error: 'tool must be the name of a tool, not "".' },
    ],
    [{ args: {} }, { valid: false, error: 'tool must be the name of a tool, not undefined.' }],
    [{ tool: 'a' }, { valid: false, error: 'args must be an object, not undefined.' }],
    [
      { tool: 'a', args: 'b' },
      { valid: false, error: 'args must be an object, not "b".' },
    ],
    [
      { tool: 'a', args: null },
      { valid: false, error: expect.stringContaining('args must be') },
    ],
    [
      { tool: 'a', args: [] },
      { valid: false, error: expect.stringContaining('args must be') },
    ],
    [undefined, { valid: false, error: expect.stringContaining('tool must be') }],
  ])('%j', (given, expected) => {
    expect(parser.validate(given as PTKToolCall)).toEqual(expected)
  })
})

const formatter: IPTKFormatter = new PTKFormatter()
const readFile: PTKTool = {
  name: 'read_file',
  description: 'Read content of a file',
  parameters: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'File path' },
      limit: { type: 'integer' },
    },
    required: ['path'],
  },
  handler: () => {},
}
const ping: PTKTool = {
  name: 'ping',
  description: 'Ping',
  parameters: { type: 'object', properties: {} },
  handler: () => {},
}

const definitions = `• read_file: Read content of a file
  Parameters:
    - path: string (required) - File path
    - limit: integer (optional)

• ping: Ping`

test('formatToolDefinitions describes each tool, as documented', () => {
  expect(formatter.formatToolDefinitions([readFile, ping])).toBe(definitions)
  expect(formatter.formatToolDefinitions([])).toBe('')
})

describe('formatSystemPrompt', () => {
  test('has the definitions and how to call them', () => {
    const prompt = formatter.formatSystemPrompt([readFile, ping])
    expect(prompt).toContain(definitions)
    for (const mark of ['<PTK_CALL>', '</PTK_CALL>', '<PTK_BATCH>', 'PTK_RESULT: ', 'PTK_ERROR: '])
      expect(prompt).toContain(mark)
  })

  test('shows a valid call', () => {
    const prompt = formatter.formatSystemPrompt([readFile])
    const [example] = prompt.match(/<PTK_CALL>[\s\S]*?<\/PTK_CALL>/)!
    expect(new PTKParser().extract(example)).toMatchObject({ tool: 'tool_name' })
  })

  test('is empty without tools', () => {
    expect(formatter.formatSystemPrompt([])).toBe('')
  })
})

test('formatConversation has all messages in order and ends where the model continues', () => {
  const text = formatter.formatConversation([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Is it up?' },
    { role: 'assistant', content: 'I look.' },
    { role: 'tool', content: 'PTK_RESULT: "up"' },
  ])
  expect(text).toMatch(/^Be brief\..*Is it up\?.*I look\..*PTK_RESULT: "up".*assistant[^a-z]*$/s)
})

describe('formatToolResult', () => {
  test('data, as documented', () => {
    const data = { content: '{"name": "my-app"}', size: 45 }
    const text = formatter.formatToolResult({ success: true, data, error: null })
    expect(text).toMatch(/^PTK_RESULT: /)
    expect(JSON.parse(text.slice('PTK_RESULT: '.length))).toEqual(data)
  })

  test('an error', () => {
    const result = { success: false, data: null, error: 'File not found: a' }
    expect(formatter.formatToolResult(result)).toBe('PTK_ERROR: File not found: a')
    expect(formatter.formatToolResult({ ...result, error: null })).toMatch(/^PTK_ERROR: ./)
  })

  test.each(['up', '', 0, null, false, [1, 'two'], undefined])('%j', (data) => {
    const text = formatter.formatToolResult({ success: true, data, error: null })
    expect(text).toMatch(/^PTK_RESULT: ?/)
    expect(text).not.toContain('[object')
  })

  test('marks in it are inert', () => {
    const data = '<PTK_CALL>{"tool":"ping","args":{}}</PTK_CALL>'
    for (const success of [true, false]) {
      const text = formatter.formatToolResult({ success, data, error: data })
      expect(new PTKParser().extract(text)).toBeNull()
    }
  })
})
