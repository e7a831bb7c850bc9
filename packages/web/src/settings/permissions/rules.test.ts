import { expect, test } from 'vitest'
import { listRules, ownRules, withoutRule, withRule } from './rules.ts'

const userFile = '/home/me/.config/toolglot/settings.json'
const own = { scope: 'user', file: userFile, counts: true } as const
const project = { scope: 'project', file: '/w/.toolglot/settings.json' } as const
const settings = {
  userFile,
  values: [
    { key: 'permissions.allow', value: 'Bash(npm test)', ...project, counts: false, line: 4 },
    { key: 'permissions.ask', value: 'Bash(git push:*)', ...project, counts: true, line: 9 },
    { key: 'permissions.allow', value: 'Bash(python3:*)', ...own, line: 3 },
    { key: 'permissions.allow', value: 'Bash(git:*)', ...own, line: 4 },
    { key: 'permissions.deny', value: 'Raed(.env)', ...own, line: 6 },
    { key: 'model', value: 'ollama/x', ...own, line: 8 },
  ],
} as const
const lint = {
  rules: 5,
  problems: [{ rule: 'Raed(.env)', problem: 'Unknown tool', ...own, line: 6 }],
  notes: [
    {
      rule: 'Bash(python3:*)',
      verdict: 'allow',
      about: 'too-much',
      message: 'It trusts every file.',
      ...own,
      line: 3,
    },
  ],
} as const

test("sorts by strictness and shows each rule's problems", () => {
  const rules = listRules(settings, lint)
  expect(rules.map(({ verdict, text }) => `${verdict} ${text}`)).toEqual([
    'deny Raed(.env)',
    'ask Bash(git push:*)',
    'allow Bash(npm test)',
    'allow Bash(python3:*)',
    'allow Bash(git:*)',
  ])
  expect(rules.map(({ problem, notes }) => problem ?? notes[0])).toEqual([
    'Unknown tool',
    undefined,
    undefined,
    'It trusts every file.',
    undefined,
  ])
  expect(rules.map(({ counts, isOwn }) => [counts, isOwn])).toEqual([
    [true, true],
    [true, false],
    [false, false],
    [true, true],
    [true, true],
  ])
})

test('does not show a note about the same rule in another file', () => {
  const elsewhere = [{ ...lint.notes[0], file: '/etc/toolglot/settings.json' }]
  const notes = listRules(settings, { ...lint, notes: elsewhere }).flatMap((rule) => rule.notes)
  expect(notes).toEqual([])
})

test("writes only the user's own rules", () => {
  expect(ownRules(settings, 'allow')).toEqual(['Bash(python3:*)', 'Bash(git:*)'])
  expect(ownRules(settings, 'ask')).toEqual([])
})

test('removes only one of two equal rules', () => {
  expect(withoutRule(['a', 'b', 'a'], 'a')).toEqual(['b', 'a'])
  expect(withoutRule(['b'], 'a')).toEqual(['b'])
})

test('restores a removed rule at its place', () => {
  expect(withRule(['a', 'c'], 'b', 1)).toEqual(['a', 'b', 'c'])
  expect(withRule([], 'b', 1)).toEqual(['b'])
  expect(withRule(['b'], 'b', 0)).toEqual(['b'])
})
