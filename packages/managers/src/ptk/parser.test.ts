import { describe, expect, test } from 'vitest'
import { type IPTKParser, PTKParser, type PTKToolCall } from '../index.ts'

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
  ])('%s: text', (_, raw) => {
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
      { valid: false, error: 'Expected "tool" to be the name of a tool, got string.' },
    ],
    [
      { args: {} },
      { valid: false, error: 'Expected "tool" to be the name of a tool, got undefined.' },
    ],
    [{ tool: 'a' }, { valid: false, error: 'Expected "args" to be an object, got undefined.' }],
    [
      { tool: 'a', args: 'b' },
      { valid: false, error: 'Expected "args" to be an object, got string.' },
    ],
    [
      { tool: 'a', args: null },
      { valid: false, error: expect.stringContaining('"args"') },
    ],
    [
      { tool: 'a', args: [] },
      { valid: false, error: expect.stringContaining('"args"') },
    ],
    [undefined, { valid: false, error: expect.stringContaining('"tool"') }],
  ])('%j', (given, expected) => {
    expect(parser.validate(given as PTKToolCall)).toEqual(expected)
  })
})
