import { expect, test } from 'vitest'
import { callSubject, writtenSubject } from './call-subject.ts'

test.each<[Record<string, unknown>, string | undefined]>([
  [{}, undefined],
  [{ file_path: 'a.txt', limit: 3 }, 'a.txt'],
  [{ limit: 3, file_path: 'a.txt' }, 'a.txt'],
  [{ description: 'List', command: 'ls -la' }, 'ls -la'],
  [{ command: 'a &&\n  b' }, 'a &&   b'],
  [{ pattern: 'x', path: 'src' }, 'x  src'],
  [{ pattern: 'x' }, 'x'],
  [{ path: '', other: 'b' }, 'b'],
  [{ path: { deep: 1 }, count: 7 }, '7'],
  [{ files: ['a', 'b'] }, 'a b'],
  [{ todos: [{ content: 'x' }], nothing: null }, undefined],
])('%j is about %s', (args, subject) => {
  expect(callSubject(args)).toBe(subject)
})

test('truncates a long argument', () => {
  expect(callSubject({ command: 'x'.repeat(1e6) })).toHaveLength(240)
})

test.each<[string, string | undefined]>([
  ['', undefined],
  ['{"file_pa', undefined],
  ['{"file_path": "src/a', 'src/a'],
  ['{"old_string": "b", "file_path": "a.txt"', 'a.txt'],
  ['{"command": "echo \\"hi\\" \\', 'echo "hi"'],
  ['{"command": "echo \\u00e4', 'echo ä'],
])('what is being written, %j, is about %s', (written, subject) => {
  expect(writtenSubject(written)).toBe(subject)
})
