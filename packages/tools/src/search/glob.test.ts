import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readGlob } from './glob.ts'
import { runs } from '../../../../tests/helpers/size.ts'

const matching: readonly (readonly [pattern: string, name: string])[] = [
  ['*.ts', 'a.ts'],
  ['*.ts', '.ts'],
  ['**/*.ts', 'a.ts'],
  ['**/*.ts', 'a/b/c.ts'],
  ['**', 'a/b'],
  ['**/*', 'a'],
  ['src/**', 'src/a/b'],
  ['src/', 'src/a/b'],
  ['src/**/*.ts', 'src/a.ts'],
  ['a/**/b/**/c', 'a/b/b/x/c'],
  ['{a,b}/*.{ts,tsx}', 'b/x.tsx'],
  ['{src/{a,b},test}/x', 'src/b/x'],
  ['?.ts', 'é.ts'],
  ['?.ts', '😀.ts'],
  ['[a-c]x', 'bx'],
  ['[!a-c]x', 'dx'],
  ['[]]x', ']x'],
  ['[id].tsx', '[id].tsx'],
  ['[id].tsx', 'i.tsx'],
  ['app/(group)/[...slug]/page.tsx', 'app/(group)/[...slug]/page.tsx'],
  ['{a,b}.txt', '{a,b}.txt'],
  ['\\*.ts', '*.ts'],
  ['a[', 'a['],
  ['{a', '{a'],
  ['{a}', '{a}'],
  ['**/.env*', 'x/.env.local'],
  ['a*b*c', 'aXbXbc'],
]

const failing: readonly (readonly [pattern: string, name: string])[] = [
  ['*.ts', 'a/b.ts'],
  ['*.ts', 'a.tsx'],
  ['**/*.ts', 'a.ts/b'],
  ['src/**', 'src'],
  ['src/*', 'src/a/b'],
  ['a/**/b', 'a/x'],
  ['[!a]', 'a'],
  ['?', ''],
  ['?', 'ab'],
  ['\\*.ts', 'a.ts'],
  ['*.TS', 'a.ts'],
  ['!a', 'b'],
]

describe('a glob', () => {
  test.each(matching)('%s matches %s', (pattern, name) => {
    expect(readGlob(pattern).matches(name)).toBe(true)
  })

  test.each(failing)('%s does not match %s', (pattern, name) => {
    expect(readGlob(pattern).matches(name)).toBe(false)
  })

  test('refuses too many brace expansions', () => {
    expect(readGlob('{a,b}'.repeat(8))).toBeDefined()
    expect(() => readGlob('{a,b}'.repeat(9))).toThrow('and 256 patterns')
    expect(() => readGlob('a'.repeat(4097))).toThrow('are 4096 characters')
    expect(() => readGlob('{a,b}'.repeat(800))).toThrow('and 256 patterns')
  })

  test('does not backtrack exponentially for many stars', () => {
    const matches = readGlob(`${'*a'.repeat(1000)}b`).matches
    for (let times = 0; times < 100; times++) expect(matches('a'.repeat(255))).toBe(false)
  })
})

const part = fc.array(fc.constantFrom('a', 'b', '*', '?', '[ab]', '[!a]'), {
  minLength: 1,
  maxLength: 4,
})
const pattern = fc
  .array(
    fc.oneof(
      part.map((pieces) => pieces.join('')),
      fc.constant('**'),
    ),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((parts) => parts.join('/'))
const name = fc
  .array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 3 }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.join('/'))

describe('laws of globs', () => {
  test('a glob matches what an exhaustive matcher matches', () => {
    fc.assert(
      fc.property(pattern, name, (pattern, name) => {
        const parts = pattern.split('/')
        expect(readGlob(pattern).matches(name)).toBe(
          pattern === name || matchesExhaustively(parts, name.split('/')),
        )
      }),
      runs(5000),
    )
  })

  test('if a glob matches, one of its endings does', () => {
    fc.assert(
      fc.property(pattern, name, (pattern, name) => {
        const { matches, endings } = readGlob(pattern)
        const last = name.slice(name.lastIndexOf('/') + 1)
        const fits = endings?.some((ending) => readGlob(ending).matches(last)) ?? true
        expect(fits || !matches(name)).toBe(true)
      }),
      runs(5000),
    )
  })
})

/** Tries all possibilities. */
function matchesExhaustively(parts: readonly string[], names: readonly string[]): boolean {
  const [part, ...rest] = parts
  if (part === undefined) return names.length === 0
  if (part !== '**') {
    return (
      names.length > 0 && matchesName(part, names[0]!) && matchesExhaustively(rest, names.slice(1))
    )
  }
  if (rest.length === 0) return names.length > 0
  return names.some((_, at) => matchesExhaustively(rest, names.slice(at)))
}

function matchesName(part: string, name: string): boolean {
  const source = part.replaceAll('*', '.*').replaceAll('?', '.').replaceAll('[!', '[^')
  return new RegExp(`^(?:${source})$`, 'u').test(name)
}
