import { expect, test } from 'vitest'
import picocolors from 'picocolors'
import { explain, protocols } from '@toolglot/core'
import { showExplanations } from './explanations.ts'

const colors = picocolors.createColors(false)
const show = (text: string, ids: string[] = Object.keys(protocols)): string =>
  showExplanations(
    text,
    explain(text, {
      protocols: ids.map((id) => protocols[id]).filter((each) => each !== undefined),
    }),
    colors,
  )

test('shows the position, the expected text and the fix for a malformed call', () => {
  const shown = show('Hi.\n<tool_call>\n{"name": ]}\n</tool_call>', ['hermes'])
  expect(shown).toContain('hermes  line 3, column 10\n  {"name": ]}\n           ^\n  expected  ')
  expect(shown).toContain('\n  got       ]}')
  expect(shown).toContain('\n  fix       ')
  expect(shown).toContain('Example of a call in hermes:\n  <tool_call>\n')
})

test('shows a reply that ended in the middle of a call', () => {
  const shown = show('<tool_call>\n{"name": "now", "arguments": {"a', ['hermes'])
  expect(shown).toContain('got       the end of the reply\n  fix       let the model continue')
})

test('shows only the protocols that read a valid call', () => {
  const shown = show('<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>')
  expect(shown).toMatch(/\nread by .*hermes/)
  expect(shown).not.toContain('expected')
})

test('handles a reply without a call', () => {
  expect(show('Hello', ['hermes'])).toContain('Omit --protocol')
})
