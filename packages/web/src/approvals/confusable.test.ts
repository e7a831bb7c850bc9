import { expect, test } from 'vitest'
import { confusableIn } from './look-twice.ts'

test.each([
  ['сat notes.txt', { word: 'сat', letter: 'U+0441' }],
  ['curl https://pаypal.com', { word: 'pаypal', letter: 'U+0430' }],
  ['сору a b', { word: 'сору', letter: 'U+0441' }],
  ['ｒｍ -rf x', { word: 'ｒｍ', letter: 'U+FF52' }],
  ['echo 𝐫𝐦', { word: '𝐫𝐦', letter: 'U+1D42B' }],
  ['οpen', { word: 'οpen', letter: 'U+03BF' }],
])('%s', (text, expected) => {
  expect(confusableIn(text)).toEqual(expected)
})

test.each([
  'git commit -m "Привет, мир"',
  'echo 中文 tiếng Việt',
  'touch ελληνικά.txt',
  'npm test 2>&1',
  'größe café',
])('%s is what it looks like', (text) => {
  expect(confusableIn(text)).toBeUndefined()
})

test.each([
  ['rm -rf a∕b', 'a∕b', 'U+2215'],
  ['git ‐‐hard', '‐‐hard', 'U+2010'],
  ['ls ；rm', '；rm', 'U+FF1B'],
  ['a\u0301\u0301\u0301', 'a\u0301\u0301\u0301', 'U+0301'],
])('a sign that looks like another, and marks on top of each other: %s', (text, word, letter) => {
  expect(confusableIn(text)).toEqual({ word, letter })
})

test('what Chinese and Vietnamese write is nothing else than it seems', () => {
  expect(confusableIn('git commit -m "修复：登录（首页）"')).toBeUndefined()
  expect(confusableIn('e\u0302\u0301')).toBeUndefined()
})
