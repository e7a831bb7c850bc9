import { expect, test } from 'vitest'
import { table, truncate, displayWidth, wrap } from './table.ts'

test('aligns columns, including wide characters', () => {
  const rows = [
    ['id', 'about'],
    ['始', 'wide'],
    ['hermes', ''],
  ]
  expect(table(rows)).toBe('id      about\n始      wide\nhermes\n')
})

test('wraps the last column if it does not fit', () => {
  const rows = [
    ['/model', 'list all the models; or switch to another'],
    ['/exit', 'leave'],
  ]
  const about = 'list all the models; or\n        switch to another'
  expect(table(rows, (cell) => cell, 32)).toBe(`/model  ${about}\n/exit   leave\n`)
  expect(table(rows, (cell) => cell, 20)).toContain('list all the models; or switch to another\n')
})

test.each([
  ['', 0],
  ['abc', 3],
  ['Hà Nội', 6],
  ['Ha\u0300 No\u0302\u0323i', 6], // the same in decomposed form
  ['「始」你好', 10],
  ['👩‍👩‍👧', 2],
  ['한국', 4],
])('%j has a width of %d columns', (text, expected) => {
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

test.each([
  ['short', 10, ['short']],
  ['', 10, ['']],
  ['one two three', 8, ['one two', 'three']],
  ['  indented words stay', 12, ['  indented', 'words stay']],
  ['averyveryverylongword and more', 8, ['averyveryverylongword', 'and more']],
  ['始始始 始始', 8, ['始始始', '始始']],
  ['\x1b[35mone\x1b[39m two three', 8, ['\x1b[35mone\x1b[39m two', 'three']],
  ['anything at all', Infinity, ['anything at all']],
])('%j in %d columns', (line, columns, expected) => {
  expect(wrap(line, columns)).toEqual(expected)
})
