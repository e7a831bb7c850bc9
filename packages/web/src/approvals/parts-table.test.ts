import { expect, test } from 'vitest'
import { addsToRule } from './parts-table.tsx'

test.each([
  ['the rule Bash(git status) allows it', false],
  ['the rule Bash(git push:*) requires approval', false],
  ['the rule Read(.env) denies it', false],
  ['uses a whole folder, which the rule Read(.env) may partly cover', true],
  ['another name of a file for which the rule Read(a) requires approval', true],
])('%s: %s', (why, expected) => {
  expect(addsToRule(why)).toBe(expected)
})
