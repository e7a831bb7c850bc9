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

test('where a call could not be read: the place, what was expected, what came, what to do', () => {
  const shown = show('Hi.\n<tool_call>\n{"name": ]}\n</tool_call>', ['hermes'])
  expect(shown).toContain('hermes  line 3, column 10\n  {"name": ]}\n           ^\n  expected  ')
  expect(shown).toContain('\n  got       ]}')
  expect(shown).toContain('\n  do        ')
  expect(shown).toContain('An example of a call in hermes:\n  <tool_call>\n')
})

test('where the reply ended inside a call', () => {
  const shown = show('<tool_call>\n{"name": "now", "arguments": {"a', ['hermes'])
  expect(shown).toContain('got       the end of the reply\n  do        let the model write on')
})

test('where all is well, only who read it', () => {
  const shown = show('<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>')
  expect(shown).toMatch(/\nread by .*hermes/)
  expect(shown).not.toContain('expected')
})

test('where nothing begins a call', () => {
  expect(show('Hello', ['hermes'])).toContain('leave --protocol out')
})
