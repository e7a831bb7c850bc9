import { expect, test } from 'vitest'
import { quote, visible, visibleLine } from './visible.ts'

test.each([
  ['plain text\n\tand more', 'plain text\n\tand more'],
  ['\x1b[31mred\x1b[0m', '\\x1b[31mred\\x1b[0m'],
  ['\x9b31m', '\\x9b31m'], // an eight-bit escape sequence
  ['bell\x07 back\b nul\0 del\x7f', 'bell\\x07 back\\x08 nul\\x00 del\\x7f'],
  ['over\rwritten', 'over\\rwritten'],
  ['\u202etxt.exe\u202c', '\\u202etxt.exe\\u202c'],
  ['\u2066a\u2069\u200e\u200f\u061c', '\\u2066a\\u2069\\u200e\\u200f\\u061c'],
  ['zero\u200bwidth\ufeff', 'zero\\u200bwidth\\ufeff'],
  ['\u2028\u2029', '\\u2028\\u2029'],
  ['\u{e0041}', '\\u{e0041}'], // a tag character, which is invisible
  ['rm\u3164 \u{e0100}\u034f\u115f\uffa0', 'rm\\u3164 \\u{e0100}\\u034f\\u115f\\uffa0'], // invisible letters
  ['\ud800 alone', '\\ud800 alone'],
  ['Hà Nội 河內 👩‍👩‍👧 می‌خواهم ❤\ufe0f', 'Hà Nội 河內 👩‍👩‍👧 می‌خواهم ❤\ufe0f'],
])('%j is shown as %j', (text, expected) => {
  expect(visible(text)).toBe(expected)
})

test('paints escaped characters', () => {
  expect(visible('a\x1bb', (escaped) => `<${escaped}>`)).toBe('a<\\x1b>b')
})

test('escapes line breaks in a line', () => {
  expect(visibleLine('a\r\nb\tc')).toBe('a\\r\\nb\\tc')
})

test('shortens and escapes a quotation', () => {
  expect(quote('a\x1b')).toBe("'a\\x1b'")
  expect(quote('x'.repeat(500))).toHaveLength(83)
})
