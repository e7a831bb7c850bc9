import { expect, test } from 'vitest'
import { cohereTools } from './cohere.ts'

test('Command R7B: tools as a fenced list, one per line', () => {
  const tools = [
    { name: 'now' },
    { name: 'add', description: 'Add', parameters: { type: 'object' } },
  ]
  const prompt = cohereTools({ tools, example: '' })
  expect(prompt.startsWith('## Tool Use\n')).toBe(true)
  expect(
    prompt.endsWith(`

\`\`\`json
[
    {"name": "now", "responses": null},
    {"name": "add", "description": "Add", "parameters": {"type": "object"}, "responses": null}
]
\`\`\``),
  ).toBe(true)
})
