import { expect, test } from 'vitest'
import { callChange, changedLines, countLines, editLines } from './edit-lines.ts'

const short = (before: string, after: string): string[] =>
  changedLines(before, after).map(
    ({ type, text }) => `${{ same: ' ', del: '-', add: '+', gap: '', note: '' }[type]}${text}`,
  )

test.each<[string, string, string[]]>([
  ['a', 'b', ['-a', '+b']],
  ['a\nb\nc\nd', 'a\nb\nc\nx', [' b', ' c', '-d', '+x']],
  ['a\nb\nc\nd\n', 'x\nb\nc\nd\n', ['-a', '+x', ' b', ' c']],
  ['a\nc', 'a\nb\nc', [' a', '+b', ' c']],
  ['a\na', 'a', [' a', '-a']],
  ['', 'a\n', ['+a']],
  ['a', '', ['-a']],
])('%j to %j', (before, after, lines) => {
  expect(short(before, after)).toEqual(lines)
})

test('accepts arguments of any shape', () => {
  expect(editLines({ old_string: 1, new_string: 'a' })).toBe(undefined)
  expect(countLines({})).toBe(undefined)
  expect(countLines({ content: 'a\nb\n' })).toEqual({ added: 2, removed: 0 })
  expect(countLines({ old_string: 'a\nb', new_string: 'a\nc\nd' })).toEqual({
    added: 2,
    removed: 1,
  })
})

test('prefers the change in the result to the one in the arguments', () => {
  const args = { old_string: 'a', new_string: 'b' }
  const diff = '--- x\n+++ x\n@@ -7 +7 @@\n-a\n+b\n'
  expect(callChange(args, { diff })).toMatchObject([
    { type: 'del', old: 7 },
    { type: 'add', new: 7 },
  ])
  for (const data of [undefined, null, 'x', { diff: 1 }, { diff: '' }, { diff: 'no diff' }])
    expect(callChange(args, data)).toEqual(editLines(args))
  expect(callChange(undefined, {})).toBe(undefined)
})
