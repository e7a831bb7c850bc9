import { describe, expect, test } from 'vitest'
import { ownText, readText } from './all-page.tsx'

describe('a displayed value can be typed again', () => {
  test.each([
    ['text', ['npm test'], 'npm test'],
    // Rules and paths are separate entries, other lists are one.
    ['list', ['Read(.env)', 'Bash(x)'], ['Read(.env)', 'Bash(x)']],
    ['list', [['openai', 'x']], ['openai', 'x']],
    ['list', [[{ name: 'gleam', command: ['a'] }]], [{ name: 'gleam', command: ['a'] }]],
    ['json', [{ days: 90 }], { days: 90 }],
    ['json', [false], false],
  ] as const)('%s %j', (kind, values, value) => {
    expect(readText(kind, ownText(kind, values))).toEqual({ value })
  })
})

test('an empty text removes the setting', () => {
  expect(ownText('json', [])).toBe('')
  for (const kind of ['text', 'list', 'json'] as const)
    expect(readText(kind, ' \n')).toEqual({ value: null })
})

test('does not save invalid JSON', () => {
  expect(readText('json', '{')).toEqual({ fault: 'json' })
  expect(readText('list', '{"a"')).toEqual({ fault: 'json' })
})
