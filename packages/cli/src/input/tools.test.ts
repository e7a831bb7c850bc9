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

test('accepts a name alone', () => {
  expect(readTools([{ name: 'now' }], 'tools.json')).toEqual([{ name: 'now' }])
})

test.each([
  ['nothing', null, 'tools.json must be a list of tools, not null'],
  ['an object', { a: 1 }, "tools.json must be a list of tools, not an object with the keys 'a'"],
  ['text', 'x', "tools.json must be a list of tools, not the text 'x'"],
  [
    'a number in the list',
    [1],
    'In tools.json, tool 1 must be an object with a name, not the number 1',
  ],
  ['no name', [tool, {}], 'In tools.json, the name of tool 2 must be a string'],
  ['an empty name', [{ name: '' }], 'In tools.json, the name of tool 1 must be a string'],
  ['a list for parameters', [{ name: 'a', parameters: [] }], 'not an empty list'],
  ['a number for a description', [{ name: 'a', description: 1 }], 'not the number 1'],
])('refuses %s with the reason', (_, value, message) => {
  expect(() => readTools(value, 'tools.json')).toThrow(message)
})
