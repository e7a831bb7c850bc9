import { expect, test } from 'vitest'
import { unifiedDiff } from '../../packages/tools/src/edit/diff.ts'
import { readDiff } from '../../packages/web/src/ui/unified-diff.ts'

const numbered = (text: string): string[] =>
  readDiff(text).lines.map(
    (line) => `${line.type} ${line.old ?? ''} ${line.new ?? ''} ${line.text}`,
  )

test('numbers lines on both sides', () => {
  const before = 'one\ntwo\nthree\nfour\n'
  expect(numbered(unifiedDiff(before, 'one\n2\nand\nthree\nfour\n', 'a.txt'))).toEqual([
    'same 1 1 one',
    'del 2  two',
    'add  2 2',
    'add  3 and',
    'same 3 4 three',
    'same 4 5 four',
  ])
})

test('shows counts, path, and if the file is new', () => {
  const { path, isNew, added, removed } = readDiff(unifiedDiff('', 'a\nb\n', 'src/a b.ts'))
  expect({ path, isNew, added, removed }).toEqual({
    path: 'src/a b.ts',
    isNew: true,
    added: 2,
    removed: 0,
  })
  expect(readDiff(unifiedDiff('x\n', 'a\n', 'a')).isNew).toBe(false)
})

test('shows a gap between distant changes', () => {
  const lines = Array.from({ length: 30 }, (_, at) => `line ${at}`)
  const after = lines.with(2, 'new').with(25, 'new')
  const types = readDiff(unifiedDiff(lines.join('\n'), after.join('\n'), 'a')).lines
  expect(types.filter(({ type }) => type === 'gap')).toHaveLength(1)
  expect(types.find(({ type, new: number }) => type === 'add' && number === 26)).toBeDefined()
})

test('reads lines that look like diff headers as lines', () => {
  expect(numbered(unifiedDiff('-- a\n', '++ b\n', 'x'))).toEqual(['del 1  -- a', 'add  1 ++ b'])
})

test('shows a missing line break at the end', () => {
  const { lines } = readDiff(unifiedDiff('a', 'b', 'x'))
  expect(lines.map(({ type }) => type)).toEqual(['del', 'note', 'add', 'note'])
})

test('finds the differences in a line', () => {
  const { lines } = readDiff(unifiedDiff('const a = old(1)\n', 'const a = fresh(1)\n', 'x'))
  expect(lines.map(({ text, changed }) => text.slice(...(changed ?? [0, 0])))).toEqual([
    'old',
    'fresh',
  ])
  expect(readDiff(unifiedDiff('abc\n', 'xyz\n', 'x')).lines[0]).not.toHaveProperty('changed')
})

test('finds no lines in other text', () => {
  expect(readDiff('').lines).toEqual([])
  expect(readDiff('hello').lines).toEqual([])
})
