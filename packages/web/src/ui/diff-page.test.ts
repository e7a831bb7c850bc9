import { expect, test } from 'vitest'
import { endOfLine, endOfLines, firstOfLine, isLongDiff } from './diff-page.ts'
import type { DiffLine } from './unified-diff.ts'

const lines = (count: number, text = 'x'): DiffLine[] =>
  Array.from({ length: count }, () => ({ type: 'add', text }))

test('a page has so many lines', () => {
  expect(endOfLines(lines(150), 0)).toBe(150)
  expect(endOfLines(lines(450), 0)).toBe(200)
  expect(endOfLines(lines(450), 400)).toBe(450)
})

test('a page has fewer lines if they are full of what nobody sees, and at least one', () => {
  const hidden = '\u200b\u200c'.repeat(1000)
  expect(endOfLine(hidden, 0)).toBe(100)
  expect(endOfLines(lines(200, hidden), 0)).toBe(4)
  expect(endOfLines(lines(200, hidden), 199)).toBe(200)
})

test('the ends of lines that Windows writes fill no page', () => {
  expect(isLongDiff({ lines: lines(200, 'x\r') })).toBe(false)
})

test('what is too long to be drawn at once', () => {
  expect(isLongDiff({ lines: lines(200) })).toBe(false)
  expect(isLongDiff({ lines: lines(201) })).toBe(true)
  expect(isLongDiff({ lines: lines(1, 'x'.repeat(2001)) })).toBe(true)
  expect(isLongDiff({ lines: lines(1, '\u200b\u200c'.repeat(51)) })).toBe(true)
})

test('a long line begins where it differs', () => {
  const text = 'x'.repeat(10_000)
  expect(firstOfLine(text)).toEqual([0, 2000])
  expect(firstOfLine(text, 1999)).toEqual([0, 2000])
  expect(firstOfLine(text, 5000)).toEqual([4900, 6900])
  expect(firstOfLine('short', 5)).toEqual([0, 5])
})
