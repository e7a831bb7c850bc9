import { expect, test } from 'vitest'
import { runName, runTitle } from './use-runs.ts'

const t = (): string => 'Untitled'
const long = 'word '.repeat(40).trim()

test.each([
  [{ name: 'Tides', prompt: 'other' }, 'Tides'],
  [{ prompt: 'Read\n  it ' }, 'Read it'],
  [{ prompt: 'Read it\n\n<file path="a.txt">\nhello' }, 'Read it'],
  [{ prompt: 'Read it\n\n<file-2 path="a' }, 'Read it'],
  [{ prompt: '<file path="a.txt">\nhello\n</file>' }, 'Untitled'],
  // A prompt about files is not an attachment.
  [{ prompt: 'What does <file path="x"> mean?' }, 'What does <file path="x"> mean?'],
  [{ name: 'a\n\n<file path="' }, 'a <file path="'],
  [{}, 'Untitled'],
])('%j is shown as %s', (run, title) => {
  expect(runTitle(run, t)).toBe(title)
})

test('truncates the title but not the name', () => {
  expect(runTitle({ prompt: long }, t)).toBe(`${long.slice(0, 120)}…`)
  expect(runName({ prompt: long })).toBe(long)
})
