import { expect, test } from 'vitest'
import { truncate, displayWidth } from './width.ts'

test.each([
  ['', 0],
  ['abc', 3],
  ['Hà Nội', 6],
  ['Ha\u0300 No\u0302\u0323i', 6], // the same in decomposed form
  ['「始」你好', 10],
  ['👩‍👩‍👧', 2],
  ['한국', 4],
])('%j takes %d columns', (text, expected) => {
  expect(displayWidth(text)).toBe(expected)
})

test.each([
  ['short', 10, 'short'],
  ['exactly ten', 11, 'exactly ten'],
  ['a little too long', 10, 'a little …'],
  ['始始始始始', 6, '始始…'],
])('%j truncated to %d columns', (text, columns, expected) => {
  expect(truncate(text, columns)).toBe(expected)
})
