import { expect, test } from 'vitest'
import { cached } from './cached.ts'

test('a value is made once, and the number of values is bounded', () => {
  const cache = new Map<string, number>()
  let made = 0
  const get = (key: string): number => cached(cache, key, () => ++made)
  expect([get('a'), get('b'), get('a')]).toEqual([1, 2, 1])
  for (let i = 0; i < 1000; i++) get(`${i}`)
  expect(cache.size).toBe(64)
})

test('drops the least recently used value when the cache is full', () => {
  const cache = new Map<string, string>()
  const get = (key: string): string => cached(cache, key, () => key)
  for (let i = 0; i < 64; i++) get(`${i}`)
  get('0')
  get('new')
  expect([cache.has('0'), cache.has('1'), cache.has('2'), cache.has('new')]).toEqual([
    true,
    false,
    true,
    true,
  ])
})
