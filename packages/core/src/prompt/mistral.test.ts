import { expect, test } from 'vitest'
import { printCalls, printPrompt, printResult, protocols } from '../index.ts'
import { calls, tools } from '../../fixtures/prompt-tools.ts'

const mistral = protocols['mistral']!
const array = protocols['mistral-array']!

test('the prompt is one list between marks', () => {
  const prompt =
    '[AVAILABLE_TOOLS][{"type": "function", "function": {"name": "now", "description": "The time", "parameters": {"type": "object", "properties": {}}}}][/AVAILABLE_TOOLS]'
  expect(printPrompt(mistral, tools.slice(1))).toBe(prompt)
  expect(printPrompt(array, tools.slice(1))).toBe(prompt)
})

test('nothing stands between calls', () => {
  expect(printCalls(mistral, calls)).toBe(
    '[TOOL_CALLS]ping[ARGS]{"host": "là", "Ports": [80, 443]}[TOOL_CALLS]now[ARGS]{}',
  )
  expect(printCalls(array, calls)).toBe(
    '[TOOL_CALLS][{"name": "ping", "arguments": {"host": "là", "Ports": [80, 443]}, "id": "call00001"}, {"name": "now", "arguments": {}, "id": "call00002"}]',
  )
})

test('a result is put in as it is', () => {
  const result = { call: calls[0]!, output: '{"ms":3}' }
  expect(printResult(mistral, result)).toBe('[TOOL_RESULTS]{"ms":3}[/TOOL_RESULTS]')
  expect(printResult(array, result)).toBe(
    '[TOOL_RESULTS]{"content": {"ms":3}, "call_id": "call00001"}[/TOOL_RESULTS]',
  )
})
