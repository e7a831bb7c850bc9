import { expect, test } from 'vitest'
import { printCalls, printPrompt, printResult, protocols } from '../index.ts'
import { calls, tools } from '../../test/prompt-tools.ts'

const { hermes, longcat } = protocols

test('the prompt is a list of tools, one per line', () => {
  expect(printPrompt(hermes!, tools)).toBe(`# Tools

You may call one or more functions to assist with the user query.

You are provided with function signatures within <tools></tools> XML tags:
<tools>
{"type": "function", "function": {"name": "ping", "description": "Is it there? Très utile", "parameters": {"type": "object", "properties": {"host": {"type": "string", "description": "A host's name"}, "Ports": {"type": "array", "items": {"type": "integer"}}}, "required": ["host"]}}}
{"type": "function", "function": {"name": "now", "description": "The time", "parameters": {"type": "object", "properties": {}}}}
</tools>

For each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:
<tool_call>
{"name": <function-name>, "arguments": <args-json-object>}
</tool_call>`)
})

test('calls are on separate lines', () => {
  expect(printCalls(hermes!, calls)).toBe(
    '<tool_call>\n{"name": "ping", "arguments": {"host": "là", "Ports": [80, 443]}}\n</tool_call>\n' +
      '<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>',
  )
  expect(printCalls(longcat!, calls.slice(1))).toBe(
    '<longcat_tool_call>\n{"name": "now", "arguments": {}}\n</longcat_tool_call>',
  )
})

test('a result is text between tags', () => {
  expect(printResult(hermes!, { call: calls[0]!, output: '{"ms":3}' })).toBe(
    '<tool_response>\n{"ms":3}\n</tool_response>',
  )
})
