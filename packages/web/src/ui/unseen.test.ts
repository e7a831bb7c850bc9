import { expect, test } from 'vitest'
import { UNSEEN_IN_LINE, unseenIn, spellUnseen } from './unseen.ts'

const names = (text: string): string[] => [...unseenIn(text)].map(({ name }) => name)

test('ignores visible characters', () => {
  expect(names('git push\n\tđường 中文 é ✓ 🙂 "$HOME"')).toEqual([])
})

test('finds names, places and repetitions', () => {
  expect([...unseenIn('a\u200b\u200b\u{e0041}b\u00a0')]).toEqual([
    { name: 'U+200B', from: 1, to: 3, count: 2 },
    { name: 'U+E0041', from: 3, to: 5, count: 1 },
    { name: 'U+00A0', from: 6, to: 7, count: 1 },
  ])
})

test('includes line breaks and tabs in single-line text', () => {
  expect([...unseenIn('a b\n\n\t\u200b', UNSEEN_IN_LINE)].map(({ name }) => name)).toEqual([
    'U+000A',
    'U+0009',
    'U+200B',
  ])
})

test('reports the same character in two places separately', () => {
  expect(names('\u200ba\u200b')).toEqual(['U+200B', 'U+200B'])
})

test('spells out invisible characters, but not line breaks and tabs', () => {
  expect(spellUnseen('a\tb\n')).toBe('a\tb\n')
  expect(spellUnseen('a\u200bb\u202e\u001b[0m')).toBe('a⟦U+200B⟧b⟦U+202E⟧⟦U+001B⟧[0m')
})
