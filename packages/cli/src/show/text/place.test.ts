import { expect, test } from 'vitest'
import picocolors from 'picocolors'
import { position, showPlace } from './place.ts'

const colors = picocolors.createColors(false)

test('puts the caret below the span', () => {
  const text = 'first\n{"city": Hanoi}\nlast'
  expect(showPlace(text, [15, 20], colors)).toEqual([
    '{"city": Hanoi}', //
    '         ^~~~~',
  ])
})

test('measures wide characters and escapes as displayed', () => {
  expect(showPlace('「始」\x1b x', [5, 6], colors)).toEqual([
    '「始」\\x1b x', //
    '           ^',
  ])
})

test('shortens long lines around the span', () => {
  const [line = '', caret = ''] = showPlace(
    'a'.repeat(1000) + 'b' + 'c'.repeat(1000),
    [1000, 1001],
    colors,
  )
  expect(line).toBe(`…${'a'.repeat(60)}b${'c'.repeat(30)}…`)
  expect(line[caret.indexOf('^')]).toBe('b')
})

test('puts a caret at the very end', () => {
  expect(showPlace('ab', [2, 2], colors)).toEqual(['ab', '  ^'])
})

test.each([
  [0, 'line 1, column 1'],
  [2, 'line 1, column 3'],
  [3, 'line 2, column 1'],
  [5, 'line 3, column 1'],
])('offset %d is %s', (at, expected) => {
  expect(position('ab\nc\nd', at)).toBe(expected)
})
