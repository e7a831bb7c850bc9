import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyMatches, flatten } from './apply-matches.ts'
import { unifiedDiff } from './diff.ts'
import { findAll, findMatches } from './find-matches.ts'
import { runs } from '../../../../tests/helpers/size.ts'

/** Short words, so that the generated texts contain repetitions and overlaps. */
const word = fc.constantFrom('a', 'b', ' ', '\t', '\n', 'ab', '“', '"', '$&', '\ud83d\ude00')
const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(''))
const some = text.filter((each) => each.length > 0)

function replaced(
  whole: string,
  old: string,
  replacement: string,
  all = false,
): string | undefined {
  const flat = flatten(whole)
  const { matches } = findMatches(flat.text, { old, replacement }, all)
  return matches.length === 1 || (all && matches.length > 0)
    ? applyMatches(whole, flat, matches)
    : undefined
}

test('findAll finds what checking every index finds', () => {
  fc.assert(
    fc.property(text, some, (whole, pattern) => {
      const expected: number[] = []
      for (let at = 0; at < whole.length; at++) if (whole.startsWith(pattern, at)) expected.push(at)
      expect(findAll(whole, pattern)).toEqual(expected)
    }),
    runs(2000),
  )
})

test('undoing an edit with its inverse restores the text, with either line end', () => {
  fc.assert(
    fc.property(
      text,
      some,
      some,
      text,
      fc.boolean(),
      (before, old, replacement, after, returns) => {
        const plain = before + old + after
        const whole = returns ? plain.replaceAll('\n', '\r\n') : plain
        fc.pre(findAll(plain, old).length === 1)
        const edited = replaced(whole, old, replacement)!
        const flat = flatten(edited).text
        expect(flat).toBe(before + replacement + after)
        fc.pre(findAll(flat, replacement).length === 1)
        // A text without line ends does not show which ones to use.
        fc.pre(!returns || flat.includes('\n') || !plain.includes('\n'))
        expect(replaced(edited, replacement, old)).toBe(whole)
      },
    ),
    runs(2000),
  )
})

test('text outside the match is unchanged with any line ends', () => {
  const mixed = fc.array(fc.constantFrom('a', 'b', '\r\n', '\n', '\r'), { maxLength: 20 })
  fc.assert(
    fc.property(mixed, mixed, text, (before, after, replacement) => {
      const whole = `${before.join('')}OLD${after.join('')}`
      const edited = replaced(whole, 'OLD', replacement)!
      expect(edited.startsWith(before.join(''))).toBe(true)
      expect(edited.endsWith(after.join(''))).toBe(true)
      const inside = edited.slice(before.join('').length, edited.length - after.join('').length)
      expect(inside.replaceAll('\r\n', '\n')).toBe(replacement)
    }),
  )
})

test('replacing all equals splitting and joining', () => {
  fc.assert(
    fc.property(text, some, text, (whole, old, replacement) => {
      fc.pre(whole.includes(old))
      expect(replaced(whole, old, replacement, true)).toBe(whole.split(old).join(replacement))
    }),
    runs(1000),
  )
})

test('a lenient match changes only the matched lines', () => {
  const line = fc.constantFrom('  if (a) {  ', '\tb()', '    c()', '}', 'say “x”', 'x \u2013 y')
  fc.assert(
    fc.property(fc.uniqueArray(line, { minLength: 2, maxLength: 6 }), fc.nat(5), (lines, index) => {
      const at = index % lines.length
      const plain = (each: string): string =>
        each.trim().replaceAll(/[“”]/g, '"').replaceAll('\u2013', '-')
      const whole = lines.join('\n')
      const edited = replaced(whole, plain(lines[at]!), 'CHANGED')
      if (edited === undefined) return
      const now = edited.split('\n')
      expect(now).toHaveLength(lines.length)
      expect(now.filter((_, place) => place !== at)).toEqual(
        lines.filter((_, place) => place !== at),
      )
      expect(now[at]).toContain('CHANGED')
    }),
  )
})

test('applying a diff gives the new text', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 40 })
  fc.assert(
    fc.property(lines, lines, fc.boolean(), fc.boolean(), (one, other, oneEnds, otherEnds) => {
      const before = one.join('\n') + (oneEnds && one.length > 0 ? '\n' : '')
      const after = other.join('\n') + (otherEnds && other.length > 0 ? '\n' : '')
      expect(patched(before, unifiedDiff(before, after, 'x'))).toBe(after)
    }),
    runs(2000),
  )
})

test('a diff of very different texts removes all lines and adds all lines', () => {
  const before = Array.from({ length: 2000 }, (_, index) => `old ${index}\n`).join('')
  const after = Array.from({ length: 2000 }, (_, index) => `new ${index}\n`).join('')
  expect(patched(before, unifiedDiff(before, after, 'x'))).toBe(after)
})

test('a diff of a very large text does not overflow the stack', () => {
  const before = 'old\n'.repeat(200_000)
  expect(unifiedDiff(before, 'new\n', 'x')).toHaveLength(
    `--- x\n+++ x\n@@ -1,200000 +1,1 @@\n${'-old\n'.repeat(200_000)}+new`.length,
  )
})

/** Applies a diff as `patch` does, strictly. */
function patched(before: string, diff: string): string {
  if (diff === '') return before
  const MISSING = '\n\\ No newline at end of file'
  const marked = before === '' || before.endsWith('\n') ? before : `${before}${MISSING}\n`
  const lines = marked.replaceAll('\n\\', '\u0000').split('\n').slice(0, -1)
  const result: string[] = []
  let at = 0
  for (const line of diff.replaceAll('\n\\', '\u0000').split('\n').slice(2)) {
    const hunk = /^@@ -(\d+),(\d+) /.exec(line)
    if (hunk) {
      const start = Number(hunk[1]) - (hunk[2] === '0' ? 0 : 1)
      result.push(...lines.slice(at, start))
      at = start
    } else if (line.startsWith('+')) result.push(line.slice(1))
    else {
      expect(lines[at]).toBe(line.slice(1))
      if (line.startsWith(' ')) result.push(lines[at]!)
      at++
    }
  }
  const whole = [...result, ...lines.slice(at)].map((line) => `${line}\n`).join('')
  return whole.replaceAll(`\u0000 No newline at end of file\n`, '')
}
