import { expect, test } from 'vitest'
import { printPrompt } from './prompt-pane.tsx'

test('prints messages exactly as sent, and marks the added lines', () => {
  const { text, marks } = printPrompt({
    messages: [
      { role: 'system', content: 'Be brief.\n\nuser\n' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image', url: 'data:' + 'x'.repeat(999) },
        ],
      },
    ],
    tools: [{ name: 'Read' }],
  } as unknown as Parameters<typeof printPrompt>[0])
  expect(text).toContain(
    'system\nBe brief.\n\nuser\n\n\nuser\nWhat is it?\n{"type":"image","url":"data:xxx',
  )
  expect(text.length).toBeLessThan(400)
  expect(text).toMatch(/\n\ntools\n\{"name":"Read"\}$/)
  expect(marks.map(({ from, to }) => text.slice(from, to))).toEqual(['system', 'user', 'tools'])
  // A role name that the user typed is not marked.
  expect(marks[1]!.from).toBe(text.indexOf('user\nWhat'))
})
