import { expect, test } from 'vitest'
import { readTools } from './tools.ts'

const parameters = { type: 'object', properties: { city: { type: 'string' } } }
const tool = { name: 'get_weather', description: 'The weather', parameters }

test.each([
  ['bare', [tool]],
  ['under tools', { tools: [tool] }],
  ["OpenAI's", [{ type: 'function', function: tool }]],
  ["OpenAI's under tools", { tools: [{ type: 'function', function: tool }] }],
  ["Anthropic's", [{ name: tool.name, description: tool.description, input_schema: parameters }]],
  [
    "MCP's",
    { tools: [{ name: tool.name, description: tool.description, inputSchema: parameters }] },
  ],
])('%s form', (_, value) => {
  expect(readTools(value, 'tools.json')).toEqual([tool])
})

test('a name is enough', () => {
  expect(readTools([{ name: 'now' }], 'tools.json')).toEqual([{ name: 'now' }])
})

test.each([
  ['nothing', null, 'expected a list of tools in tools.json, got null'],
  [
    'an object',
    { a: 1 },
    "expected a list of tools in tools.json, got an object with the keys 'a'",
  ],
  ['text', 'x', "expected a list of tools in tools.json, got the text 'x'"],
  [
    'a number in the list',
    [1],
    'expected an object with a name in tools.json, tool 1, got the number 1',
  ],
  ['no name', [tool, {}], 'expected a name in tools.json, tool 2, got nothing'],
  ['an empty name', [{ name: '' }], 'expected a name in tools.json, tool 1, got empty text'],
  ['a list for parameters', [{ name: 'a', parameters: [] }], 'got an empty list'],
  ['a number for a description', [{ name: 'a', description: 1 }], 'got the number 1'],
])('%s is refused with what was expected and what came', (_, value, message) => {
  expect(() => readTools(value, 'tools.json')).toThrow(message)
})
