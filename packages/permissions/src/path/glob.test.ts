import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEEP, type Glob, type GlobRelation, relationOf, type Steps } from './glob.ts'
import { readName } from './pattern.ts'

function globOf(text: string): Glob {
  return text.split('/').map((part) => {
    const read = readName(part)
    if ('problem' in read) throw new TypeError(read.problem)
    return read.name
  })
}

const lie = (pattern: string, path: string): GlobRelation =>
  relationOf(globOf(pattern), path.split('/'))

describe('relation of a pattern and a path', () => {
  test.each<[string, string, GlobRelation]>([
    ['src/a.ts', 'src/a.ts', 'whole'],
    ['src/*.ts', 'src/a.ts', 'whole'],
    ['src/*.ts', 'src/deep/a.ts', 'apart'],
    ['src', 'src/deep/a.ts', 'inside'],
    ['src/deep/a.ts', 'src', 'above'],
    ['src/deep/a.ts', 'lib', 'apart'],
    ['**/a.ts', 'a.ts', 'whole'],
    ['**/a.ts', 'x/y/a.ts', 'whole'],
    ['**/a.ts', 'x/y/a.ts/z', 'inside'],
    ['**/a.ts', 'x/y', 'above'],
    ['a/**/b', 'a/b', 'whole'],
    ['a/**/b', 'a/x/y/b', 'whole'],
    ['a/**/b', 'a/x/y', 'above'],
    ['a**b', 'axxb', 'whole'],
    ['a**b', 'ax/xb', 'apart'],
    ['*', '.env', 'whole'],
    ['?', '𝒳', 'whole'],
    ['a?c', 'ac', 'apart'],
    ['[a-c]x', 'bx', 'whole'],
    ['[!a-c]x', 'bx', 'apart'],
    ['[^a-c]x', 'dx', 'whole'],
    ['[]x]', ']', 'whole'],
    ['[a\\]]', ']', 'whole'],
    ['[a-]', '-', 'whole'],
    ['\\*', '*', 'whole'],
    ['\\*', 'x', 'apart'],
    ['\\[id\\].tsx', '[id].tsx', 'whole'],
    ['*a*b*', 'xxaxxbxx', 'whole'],
    ['*ab', 'aab', 'whole'],
    ['ab*ab', 'ab', 'apart'],
    ['*.tar.gz', '.tar.gz', 'whole'],
  ])('%s, %s: %s', (pattern, path, expected) => {
    expect(lie(pattern, path)).toBe(expected)
  })
})

test.each(['[a', '[', '[!]', 'a\\', '[z-a]', '[[:alpha:]]', '[a-\\'])(
  '%s is not a pattern',
  (text) => {
    expect(readName(text)).toHaveProperty('problem')
  },
)

describe('laws', () => {
  const part = fc.stringMatching(/^[ab*?]{1,5}$/)
  const pattern = fc.array(fc.oneof(part, fc.constant('**')), { minLength: 1, maxLength: 5 })
  const path = fc.array(fc.stringMatching(/^[abc]{1,5}$/), { maxLength: 5 })

  test('agrees with a naive matcher', () => {
    fc.assert(
      fc.property(pattern, path, (parts, names) => {
        const glob = globOf(parts.join('/'))
        const whole = isWhole(parts, names)
        const inside = names.some((_, end) => isWhole(parts, names.slice(0, end)))
        const found = relationOf(glob, names)
        expect(found === 'whole').toBe(whole)
        if (!whole) expect(found === 'inside').toBe(inside)
      }),
      { numRuns: 2000 },
    )
  })

  test('if a path is apart from a pattern, no path below it matches', () => {
    fc.assert(
      fc.property(pattern, path, path, (parts, names, more) => {
        if (relationOf(globOf(parts.join('/')), names) !== 'apart') return
        expect(isWhole(parts, [...names, ...more])).toBe(false)
      }),
      { numRuns: 2000 },
    )
  })

  test('an escaped name matches literally', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (name) => {
        const escaped = Array.from(name, (letter) => `\\${letter}`).join('')
        expect(readName(escaped)).toEqual({ name })
      }),
    )
  })

  test.each([
    ['many stars', '*a'.repeat(50) + 'b', 'a'.repeat(2000)],
    ['many depths', '**/a/'.repeat(50) + 'b', 'a/'.repeat(1000) + 'a'],
    ['stars in depths', '**/*a*a*a*b/'.repeat(20) + 'x', 'aaaaaaaaaaaaaaaa/'.repeat(100) + 'y'],
    ['questions', '?'.repeat(100) + '*'.repeat(50) + 'b', 'a'.repeat(2000)],
  ])(
    'work is limited to the product of the lengths of pattern and text: %s',
    (_, pattern, text) => {
      const steps: Steps = { count: 0 }
      relationOf(globOf(pattern), text.split('/'), steps)
      expect(steps.count).toBeGreaterThan(0)
      expect(steps.count).toBeLessThan(pattern.length * text.length)
    },
  )

  test('twice the text takes about twice the work', () => {
    const count = (length: number): number => {
      const steps: Steps = { count: 0 }
      relationOf(globOf('*a*a*a*a*a*a*b'), ['a'.repeat(length)], steps)
      return steps.count
    }
    expect(count(4000)).toBeLessThan(2.2 * count(2000))
  })
})

/** A naive matcher, however slow. */
function isWhole(parts: readonly string[], names: readonly string[]): boolean {
  const [part, ...others] = parts
  if (part === undefined) return names.length === 0
  if (part === '**')
    return isWhole(others, names) || (names.length > 0 && isWhole(parts, names.slice(1)))
  return names.length > 0 && isText(part, names[0]!) && isWhole(others, names.slice(1))
}

function isText(part: string, name: string): boolean {
  if (part === '') return name === ''
  if (part[0] === '*')
    return isText(part.slice(1), name) || (name !== '' && isText(part, name.slice(1)))
  return (
    name !== '' && (part[0] === '?' || part[0] === name[0]) && isText(part.slice(1), name.slice(1))
  )
}

test('a second DEEP in a row has no effect', () => {
  expect(relationOf([DEEP, DEEP, 'a', DEEP, DEEP], ['x', 'a', 'y'])).toBe('whole')
})
