import { expect, test } from 'vitest'
import { endOfPage, endOfPages } from './text-page.ts'

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
  ['many characters that nobody sees', 'a\u200b'.repeat(500), 3],
])('%s', (_, text, count) => {
  const pages = pagesOf(text)
  expect(pages).toHaveLength(count)
  expect(pages.join('')).toBe(text)
})

test('no character is cut', () => {
  const pages = pagesOf(`x${'🙂'.repeat(15_000)}`)
  expect(pages.some((page) => /^\p{Cs}|\p{Cs}$/u.test(page))).toBe(false)
})

test('pages of a text that grows', () => {
  expect(endOfPages('', 1)).toBe(0)
  expect(endOfPages('a\nb', 1)).toBe(3)
  expect(endOfPages('line\n'.repeat(1000), 2)).toBe(2000)
  expect(endOfPages('line\n'.repeat(300), 9)).toBe(1500)
})
