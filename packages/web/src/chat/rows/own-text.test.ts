import { expect, test } from 'vitest'
import { filesToResend, ownText } from './own-text.ts'

test('a message without files is only its words', () => {
  expect(ownText('Read <file> in "a".\n')).toEqual({ words: 'Read <file> in "a".', files: [] })
})

test('extracts the files', () => {
  const text =
    'See @a.txt\n\n<file path="a.txt">\none\n\n</file>\n\n<file-1 path="b.md">\n</file>\n</file-1>'
  expect(ownText(text)).toEqual({
    words: 'See @a.txt',
    files: [
      { name: 'a.txt', text: 'one\n' },
      { name: 'b.md', text: '</file>' },
    ],
  })
})

test('resends only files that are not mentioned', () => {
  const own = {
    words: 'See @a.txt',
    files: [
      { name: 'a.txt', text: '1' },
      { name: 'b', text: '2' },
    ],
  }
  expect(filesToResend(own)).toEqual([{ name: 'b', text: '2' }])
  expect(filesToResend(own, 'and @b')).toEqual([])
})
