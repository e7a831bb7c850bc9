import { expect, test } from 'vitest'
import { createCache } from './cache.ts'

const forever = new AbortController().signal

test('shares one attempt between simultaneous requests, and keeps its value', async () => {
  let now = 0
  let made = 0
  const cache = createCache<number>(10, () => now)
  const make = async () => ({ value: ++made, lifetime: 100 })
  expect(await Promise.all([1, 2, 3].map(() => cache.get('a', make, forever)))).toEqual([1, 1, 1])
  now = 99
  expect(await cache.get('a', make, forever)).toBe(1)
  now = 101
  expect(await cache.get('a', make, forever)).toBe(2)
})

test('does not keep a failed attempt', async () => {
  const cache = createCache<number>(10)
  const fail = () => Promise.reject(new Error('no'))
  await expect(cache.get('a', fail, forever)).rejects.toThrow('no')
  expect(await cache.get('a', async () => ({ value: 1, lifetime: 100 }), forever)).toBe(1)
})

test('an aborted caller stops waiting, and the other callers get the value', async () => {
  const cache = createCache<number>(10)
  let finish: (made: { value: number; lifetime: number }) => void = () => {}
  const make = () =>
    new Promise<{ value: number; lifetime: number }>((resolve) => (finish = resolve))
  const leaving = new AbortController()
  const gone = cache.get('a', make, leaving.signal)
  const stays = cache.get('a', make, forever)
  leaving.abort(new Error('gone'))
  await expect(gone).rejects.toThrow('gone')
  finish({ value: 7, lifetime: 100 })
  expect(await stays).toBe(7)
  await expect(cache.get('a', make, leaving.signal)).rejects.toThrow('gone')
})

test('evicts the oldest value', async () => {
  const made: string[] = []
  const cache = createCache<string>(2)
  const get = (key: string): Promise<string> =>
    cache.get(
      key,
      async () => {
        made.push(key)
        return { value: key, lifetime: 1e9 }
      },
      forever,
    )
  for (const key of ['a', 'b', 'c', 'b', 'c', 'a']) await get(key)
  expect(made).toEqual(['a', 'b', 'c', 'a'])
})
