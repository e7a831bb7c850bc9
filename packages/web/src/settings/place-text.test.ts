import { describe, expect, test } from 'vitest'
import { effectiveValue, fileAndLine, isOwn, ownValue } from './place-text.tsx'

const userFile = '/home/me/.config/toolglot/settings.json'
const folder = '/home/me/code/tide'

test('the line number follows the file', () => {
  const place = { scope: 'managed', file: '/etc/a.json' } as const
  expect(fileAndLine({ ...place, line: 3 }, (path) => path)).toBe('/etc/a.json:3')
  expect(fileAndLine(place, (path) => path)).toBe('/etc/a.json')
})

describe('values', () => {
  const values = [
    { key: 'model', value: 'a/b', counts: false, scope: 'project', file: `${folder}/s.json` },
    { key: 'model', value: 'c/d', counts: true, scope: 'user', file: userFile },
    { key: 'tools', value: ['x'], counts: true, scope: 'managed', file: '/etc/s.json' },
  ] as const

  test('a value that does not count has no effect', () => {
    expect(effectiveValue({ values }, 'model')?.value).toBe('c/d')
    expect(effectiveValue({ values }, 'retention')).toBeUndefined()
  })

  test('only values in the user’s own file are their own', () => {
    expect(ownValue({ values, userFile }, 'model')).toBe('c/d')
    expect(ownValue({ values, userFile }, 'tools')).toBeUndefined()
    // The page does not change other files of the same scope, such as imported ones.
    expect(isOwn({ scope: 'user', file: '/home/me/.claude/settings.json' }, { userFile })).toBe(
      false,
    )
  })
})
