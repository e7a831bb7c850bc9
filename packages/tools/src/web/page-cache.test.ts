import { expect, test } from 'vitest'
import { PageCache } from './page-cache.ts'

test('keeps a page for 15 minutes', () => {
  let now = 0
  const cache = new PageCache(() => now)
  cache.set('a', { text: 'page' })
  now = 15 * 60_000 - 1
  expect(cache.get('a')).toEqual({ text: 'page' })
  now += 1
  expect(cache.get('a')).toBeUndefined()
})

test('drops the oldest pages first', () => {
  const cache = new PageCache()
  const text = 'x'.repeat(1_500_000)
  for (const key of ['a', 'b', 'c']) cache.set(key, { text })
  expect(['a', 'b', 'c'].map((key) => cache.get(key) !== undefined)).toEqual([false, true, true])
  cache.set('b', { text: 'short' })
  cache.set('d', { text })
  expect(['b', 'c', 'd'].map((key) => cache.get(key) !== undefined)).toEqual([true, true, true])
  cache.set('huge', { text: text.repeat(3) })
  expect(cache.get('huge')).toBeUndefined()
  expect(cache.get('b')).toBeDefined()
})

test('keeps at most 500 pages', () => {
  const cache = new PageCache()
  for (let at = 0; at <= 500; at++) cache.set(String(at), { text: '' })
  expect(cache.get('0')).toBeUndefined()
  expect(cache.get('1')).toBeDefined()
})
