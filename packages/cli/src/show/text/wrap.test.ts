import { expect, test } from 'vitest'
import { wrap } from './wrap.ts'

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
