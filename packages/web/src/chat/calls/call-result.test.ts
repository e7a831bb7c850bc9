import { expect, test } from 'vitest'
import { jsonText, mayBeJson, withoutTerminal } from './call-result.tsx'

test('removes terminal escape sequences from text', () => {
  const text = '\u001b[1;31mred\u001b[0m \u001b]0;title\u0007end'
  expect(withoutTerminal(text)).toBe('red end')
})

test('shows returned data, or text that is JSON, as JSON', () => {
  expect(jsonText({ text: 'x', data: { a: 1 } })).toBe('{\n  "a": 1\n}')
  expect(jsonText({ text: ' [1]' })).toBe('[\n  1\n]')
  expect(jsonText({ text: '[1' })).toBe(undefined)
})

test.each<[string, boolean]>([
  [' [1]', true],
  ['[1', false],
  ['1 and more', false],
  [`[${'1,'.repeat(200_000)}`, true],
])('only a short text is tried before somebody asks (%#)', (text, isOffered) => {
  expect(mayBeJson({ text })).toBe(isOffered)
  expect(mayBeJson({ text, data: {} })).toBe(true)
})
