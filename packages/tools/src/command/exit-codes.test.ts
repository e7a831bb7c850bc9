import { expect, test } from 'vitest'
import { exitCodeMeaning } from './exit-codes.ts'

test.each([
  ['grep x file', 1, 'no line matches'],
  ['cat file | grep x', 1, 'no line matches'],
  ['cd src && rg x', 1, 'no line matches'],
  ['diff a b', 1, 'the files differ'],
  ['git diff --exit-code', 1, 'there are differences'],
  ['[ -f x ]', 1, 'the condition is false'],
  ['grep x file', 2, undefined],
  ['git push', 1, undefined],
  ['make', 1, undefined],
  ['constructor', 1, undefined],
  ['', 1, undefined],
])('%s with %i', (command, code, meaning) => {
  expect(exitCodeMeaning(command, code)).toBe(meaning)
})
