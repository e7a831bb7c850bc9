import type { LanguageModelV3ToolCall } from '@ai-sdk/provider'
import { generateText, InvalidToolInputError, NoSuchToolError, tool } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { nastySchemas } from '../../core/test/nasty-schemas.ts'
import { repairToolCall } from './index.ts'
import { runs } from '../../../tests/helpers/size.ts'

const read = tool({
  inputSchema: z.object({
    path: z.string(),
    lines: z.int().optional(),
    all: z.boolean().optional(),
  }),
  execute: ({ path, lines }) => `${path} ${lines ?? ''}`,
})
const schema = {
  type: 'object',
  properties: { path: { type: 'string' }, lines: { type: 'integer' }, all: { type: 'boolean' } },
  required: ['path'],
}

function called(input: string, toolName = 'read_file'): LanguageModelV3ToolCall {
  return { type: 'tool-call', toolCallId: '1', toolName, input }
}

function repaired(
  input: string,
  { toolName = 'read_file', names = ['read_file', 'write_file'] } = {},
): Promise<LanguageModelV3ToolCall | null> {
  return repairToolCall({
    toolCall: called(input, toolName),
    tools: Object.fromEntries(names.map((name) => [name, {}])),
    inputSchema: async () => schema,
  })
}

test.each([
  ['{"path": "a",}', { path: 'a' }],
  ["{'path': 'a', 'all': True}", { path: 'a', all: true }],
  ['{"path": "a", "lines": "3"}', { path: 'a', lines: 3 }],
  ['{path: "a"}', { path: 'a' }],
  [`{"path": "'''a'''",}`, { path: "'''a'''" }],
  ['{"path": "say "hi" now"}', { path: 'say "hi" now' }],
  ['{"path": "",}', { path: '' }],
  ['{"path": "a"}}', { path: 'a' }],
  ['{{"path": "a"}}', { path: 'a' }],
  ['```json\n{"path": "a"}\n```', { path: 'a' }],
  ['"{\\"path\\": \\"a\\"}"', { path: 'a' }],
  ['{"path": "[TOOL_CALLS]x[ARGS]{}", "lines": "2"}', { path: '[TOOL_CALLS]x[ARGS]{}', lines: 2 }],
])('repairs %s', async (input, expected) => {
  const call = await repaired(input)
  expect(call).toEqual({ ...called(call!.input) })
  expect(JSON.parse(call!.input)).toEqual(expected)
})

test.each([
  '{"path": "a"}',
  '{ "path": "a" }',
  '{"lines": []}',
  '{"path": "a"',
  '{"path": "a',
  '{"path": "a", "lines": [1',
  '{{"path": "a"}',
  '"{\\"path\\": \\"a',
  '{"path": "a", "path": "b"}',
  '{"path": """a"""}',
  '{"path": """a"b""", "lines": "3"}',
  '{"""path""": "a"}',
  '{"path": """"}',
  JSON.stringify('{"path": """a"""}'),
  `{"path": '''a'''}`,
  `{'path': '''a'b''',}`,
  '{"path": "a"}{"path": "b"}',
  '{"path": "a"} and more',
  '[]',
  'null',
  'hello',
  ' ',
  '',
])('returns null for %s', async (input) => {
  expect(await repaired(input)).toBeNull()
})

test('never completes a call that was cut off', () => {
  const value = fc.record(
    { path: fc.string(), lines: fc.integer(), list: fc.array(fc.string(), { maxLength: 2 }) },
    { requiredKeys: ['path'] },
  )
  return fc.assert(
    fc.asyncProperty(value, fc.nat(), async (args, seed) => {
      const json = JSON.stringify(args)
      expect(await repaired(json.slice(0, seed % json.length))).toBeNull()
    }),
    runs(1000),
  )
})

test.each([
  ['readFile', 'read_file'],
  ['read-file', 'read_file'],
  ['READ.FILE', 'read_file'],
  ['read_files', undefined],
  ['file_read', undefined],
  ['functions.read_file', undefined],
  ['', undefined],
])('changes the name %s to %s', async (toolName, name) => {
  expect((await repaired('{"path": "a"}', { toolName }))?.toolName).toBe(name)
})

test('does not change a name that fits two tools', async () => {
  const names = ['read_file', 'readFile']
  expect(await repaired('{"path": "a"}', { toolName: 'read-file', names })).toBeNull()
  expect((await repaired('{"path": "a",}', { toolName: 'readFile', names }))?.toolName).toBe(
    'readFile',
  )
})

test.each([
  ['readFile', "{'path': 'a', lines: '3'}", 'a 3', undefined],
  ['read_file', '{"path": "a"', undefined, InvalidToolInputError],
  ['read', '{"path": "a"}', undefined, NoSuchToolError],
] as const)('in generateText: %s %s', async (toolName, input, output, error) => {
  const model = new MockLanguageModelV3({
    doGenerate: {
      content: [called(input, toolName)],
      finishReason: { unified: 'tool-calls', raw: undefined },
      usage: {
        inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
        outputTokens: { total: 1, text: 1, reasoning: undefined },
      },
      warnings: [],
    },
  })
  const { toolCalls, toolResults } = await generateText({
    model,
    tools: { read_file: read },
    prompt: 'Read a.',
    experimental_repairToolCall: repairToolCall,
  })
  expect(toolResults.map((result) => result.output)).toEqual(output === undefined ? [] : [output])
  const [call] = toolCalls
  if (error) expect(error.isInstance(call!.error)).toBe(true)
  else expect(call).not.toHaveProperty('error')
})

test.each(nastySchemas)('a hostile schema does not block it: %s', async (_, nasty) => {
  const toolCall = called('{"a": {"a": ["1"]}, "p0": 1,}')
  const inputSchema = (): Promise<unknown> => Promise.resolve(nasty)
  expect(await repairToolCall({ toolCall, tools: { read_file: read }, inputSchema })).toMatchObject(
    {
      toolName: 'read_file',
    },
  )
})
