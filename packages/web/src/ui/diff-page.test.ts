import { expect, test } from 'vitest'
import {
  endOfLine,
  endOfLines,
  firstOfLine,
  isLongDiff,
  endOfPage,
  endOfPages,
} from './diff-page.ts'
import type { DiffLine } from './unified-diff.ts'

const lines = (count: number, text = 'x'): DiffLine[] =>
  Array.from({ length: count }, () => ({ type: 'add', text }))

test('limits the lines of a page', () => {
  expect(endOfLines(lines(150), 0)).toBe(150)
  expect(endOfLines(lines(450), 0)).toBe(200)
  expect(endOfLines(lines(450), 400)).toBe(450)
})

test('invisible characters shorten a page, to one line at least', () => {
  const hidden = '\u200b\u200c'.repeat(1000)
  expect(endOfLine(hidden, 0)).toBe(100)
  expect(endOfLines(lines(200, hidden), 0)).toBe(4)
  expect(endOfLines(lines(200, hidden), 199)).toBe(200)
})

test('Windows line ends do not count as invisible', () => {
  expect(isLongDiff({ lines: lines(200, 'x\r') })).toBe(false)
})

test('detects diffs that are too long to draw at once', () => {
  expect(isLongDiff({ lines: lines(200) })).toBe(false)
  expect(isLongDiff({ lines: lines(201) })).toBe(true)
  expect(isLongDiff({ lines: lines(1, 'x'.repeat(2001)) })).toBe(true)
  expect(isLongDiff({ lines: lines(1, '\u200b\u200c'.repeat(51)) })).toBe(true)
})

test('a long line begins at its difference', () => {
  const text = 'x'.repeat(10_000)
  expect(firstOfLine(text)).toEqual([0, 2000])
  expect(firstOfLine(text, 1999)).toEqual([0, 2000])
  expect(firstOfLine(text, 5000)).toEqual([4900, 6900])
  expect(firstOfLine('short', 5)).toEqual([0, 5])
})

/** All pages of a text. */
function pagesOf(text: string): string[] {
  const pages: string[] = []
  for (let from = 0; from < text.length;) {
    const end = endOfPage(text, from)
    pages.push(text.slice(from, end))
    from = end
  }
  return pages
}

test('a short text is one page', () => {
  expect(pagesOf('a\nb\n')).toEqual(['a\nb\n'])
  expect(endOfPage('', 0)).toBe(0)
})

test.each([
  ['many lines', 'line\n'.repeat(1000), 5],
  ['one long line', 'x'.repeat(50_000), 3],
  ['many invisible characters', 'a\u200b'.repeat(500), 3],
])('%s', (_, text, count) => {
  const pages = pagesOf(text)
  expect(pages).toHaveLength(count)
  expect(pages.join('')).toBe(text)
})

test('does not split surrogate pairs', () => {
  const pages = pagesOf(`x${'🙂'.repeat(15_000)}`)
  expect(pages.some((page) => /^\p{Cs}|\p{Cs}$/u.test(page))).toBe(false)
})

test('keeps the pages of a growing text', () => {
  expect(endOfPages('', 1)).toBe(0)
  expect(endOfPages('a\nb', 1)).toBe(3)
  expect(endOfPages('line\n'.repeat(1000), 2)).toBe(2000)
  expect(endOfPages('line\n'.repeat(300), 9)).toBe(1500)
})
