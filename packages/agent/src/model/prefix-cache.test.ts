import { expect, test } from 'vitest'
import { PrefixCache } from './prefix-cache.ts'

const [a, b, c, d] = [{ a: 1 }, { b: 1 }, { c: 1 }, { d: 1 }]

test('a longer list is recognized once', () => {
  const cache = new PrefixCache<object, string>()
  cache.store([a, b], 'ab')
  expect(cache.take([a, b, c, d])).toEqual({ length: 2, value: 'ab' })
  expect(cache.take([a, b, c, d])).toBeUndefined()
})

test('shorter and different lists are not recognized', () => {
  const cache = new PrefixCache<object, string>()
  cache.store([a, b], 'ab')
  expect(cache.take([])).toBeUndefined()
  expect(cache.take([a])).toBeUndefined()
  expect(cache.take([c, b, d])).toBeUndefined()
  expect(cache.take([b, d])).toBeUndefined()
  expect(cache.take([a, c, b])).toBeUndefined()
  expect(cache.take([a, b])).toEqual({ length: 2, value: 'ab' })
})
