import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nastyPatterns } from '../../../core/test/nasty-schemas.ts'
import { compilePattern } from './pattern.ts'

const atoms = fc.constantFrom(
  ...[
    'a',
    'b',
    '.',
    '[ab]',
    '[^a]',
    '[\\]a]',
    '[a-c-]',
    '[]',
    '[^]',
    '\\d',
    '\\w',
    '\\.',
    '\\b',
    '\\B',
  ],
  ...['^', '$', '\\u0061', '\\u{61}', '\\x62', '\\p{L}', '\\t'],
)
const signs = fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '{0}', '{1,}', '*?', '??', '{0,1}?')
const patterns = fc.letrec<{ any: string }>((tie) => {
  const any = tie('any')
  const two = fc.tuple(any, any)
  return {
    any: fc.oneof(
      { depthSize: 'small' },
      atoms,
      two.map((both) => both.join('')),
      two.map((both) => both.join('|')),
      fc
        .tuple(fc.constantFrom('(', '(?:', '(?=', '(?!'), any)
        .map(([open, inner]) => `${open}${inner})`),
      fc.tuple(any, signs).map(([inner, sign]) => `(?:${inner})${sign}`),
    ),
  }
}).any
const texts = fc
  .array(fc.constantFrom('a', 'b', '1', '.', ' ', '-', ']', '\n', 'é'), { maxLength: 7 })
  .map((characters) => characters.join(''))

test('law: a pattern matches the same strings as a native one', () => {
  fc.assert(
    fc.property(patterns, texts, (pattern, text) => {
      expect(compilePattern(pattern).test(text, () => {})).toBe(new RegExp(pattern, 'u').test(text))
    }),
    { numRuns: 5000 },
  )
})

test.each([
  ['^[\\w\\-]+$', 'a-b', true],
  ['^\\/x', '/x', true],
  ['^.$', '😀', true],
  ['^(?<year>\\d{4})-\\d\\d$', '2026-11', true],
  ['^(?!\\s*$).+', '   ', false],
  ['^(?!\\s*$).+', ' x', true],
])('%s on %j', (pattern, text, expected) => {
  expect(compilePattern(pattern).test(text, () => {})).toBe(expected)
})

test.each(nastyPatterns)('%s takes a bounded number of steps', (pattern, text) => {
  let steps = 0
  compilePattern(pattern).test(text, (more) => (steps += more))
  expect(steps).toBeLessThan(10_000)
})

test.each([
  ['(', 'not a regular expression'],
  ['(a)\\1', 'refers to an earlier group'],
  ['(?<=a)b', 'looks behind'],
  ['(?:a{1000}){1000}', 'too long'],
  ['(?:){1000000000}', 'too long'],
  ['('.repeat(100) + ')'.repeat(100), 'too many groups'],
  ['a'.repeat(3000), 'more than 2000 characters'],
  ['\\Aa\\Z', 'not in JavaScript'],
])('%s is rejected with the pattern', (pattern, reason) => {
  expect(() => compilePattern(pattern)).toThrow(reason)
})

test('rejects a long string because of its pattern', () => {
  const long = compilePattern('^a{100}b*$')
  expect(() => long.test('a'.repeat(100_000), () => {})).toThrow('too much work')
})
