import { expect, test } from 'vitest'
import { calledInText } from './reply-warnings.ts'

const names = ['Read', 'Write', 'get_weather']

test.each([
  ['JSON in a fence that is not over', '```json\n{"name": "Write", "arguments": {"file', 'Write'],
  ['JSON that prose follows', '{"tool":"Read","args":{}}\nBut I will not do that.', 'Read'],
  ['spaces', '{ "action" :\n "get_weather" }', 'get_weather'],
  ['a label', 'Thought: I look.\n  **Action:** `Read`\nAction Input: x', 'Read'],
  ['a label at the end', 'Action: get_weather', 'get_weather'],
  ['a tag', 'Now:\n<get_weather>\n<city>Hanoi</city>', 'get_weather'],
  ['a tag with a name', '<function=Write>', 'Write'],
  ['the second time it occurs', 'Read it: {"name": "Read"}', 'Read'],
])('%s', (_, text, name) => {
  expect(calledInText(text, names)).toBe(name)
})

test.each([
  ['prose', 'I would Read the file, then Write it: Read and Write are tools.'],
  ['another name', '{"name": "Reader"}, {"name": "Rea"}, <Reader>, Action: Reader'],
  ['another key', '{"verb": "Read", "title": "Write"}'],
  ['a label inside a line', 'The first Action: Read'],
  ['nothing', ''],
])('no warning for %s', (_, text) => {
  expect(calledInText(text, names)).toBe(undefined)
})

test('a tool without a name is never found', () => {
  expect(calledInText('abc', [''])).toBe(undefined)
})
