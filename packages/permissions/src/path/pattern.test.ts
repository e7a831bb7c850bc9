import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readPathPattern } from './pattern.ts'

const source = { scope: 'project', root: '/project' } as const

test.each([
  ['src/a.ts', 'start', 0, true],
  ['./src', 'start', 0, false],
  ['.env', 'start', 0, true],
  ['../shared/**', 'start', 1, false],
  ['/docs', 'settings', 0, false],
  ['//etc/hosts', 'disk', 0, false],
  ['~/notes', 'home', 0, false],
  ['~', 'home', 0, false],
  ['a/../b', 'start', 0, true],
])('%s begins at %s', (text, from, up, bare) => {
  expect(readPathPattern(text, source)).toMatchObject({ from, up, bare, root: '/project' })
})

test('dots and repeated slashes are ignored', () => {
  expect(readPathPattern('a//b/./c/../d', source)).toMatchObject({ glob: ['a', 'b', 'd'] })
})

describe('errors in patterns', () => {
  test.each([
    ['', /path is empty/],
    [' .env', /spaces/],
    ['.env ', /spaces/],
    ['a\u0000b', /U\+0000/],
    ['a\u200bb', /U\+200B/],
    ['src/[ab', /is never closed/],
    ['src\\', /last "\\"/],
    ['!src', /negated/],
    ['~root/x', /home/],
    ['$HOME/x', /~\//],
    ['C:\\work\\x', /drive/],
    ['\\\\server\\share', /drive/],
    ['**/*.{ts,tsx}', /one rule for each/],
    ['https://example.org/x', /URL/],
    ['*/../x', /wildcard/],
    ['//../x', /above/],
    ['x'.repeat(5000), /longer/],
  ])('%j', (text, problem) => {
    expect(readPathPattern(text, source)).toMatch(problem)
  })

  test('a brace may be escaped', () => {
    expect(readPathPattern('a/{id}/\\{b,c\\}', source)).toMatchObject({
      glob: ['a', '{id}', '{b,c}'],
    })
  })

  test('never throws for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(['string', 'object']).toContain(typeof readPathPattern(text, source))
      }),
    )
  })
})
