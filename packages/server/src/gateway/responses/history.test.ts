import fc from 'fast-check'
import { expect, test } from 'vitest'
import { OwnedStore, type StoreLimits } from './history.ts'

const limits: StoreLimits = { count: 3, size: 100, totalSize: 150, age: 1000, now: () => 0 }

test('evicts the least recently used value', () => {
  const store = new OwnedStore<number>(limits)
  for (const key of ['a', 'b', 'c']) store.set('me', key, 1, 1)
  store.get('me', 'a')
  store.set('me', 'd', 1, 1)
  expect(['a', 'b', 'c', 'd'].map((key) => store.get('me', key))).toEqual([1, undefined, 1, 1])
})

test('evicts old values', () => {
  let time = 0
  const store = new OwnedStore<number>({ ...limits, now: () => time })
  store.set('me', 'a', 1, 1)
  time = 999
  expect(store.get('me', 'a')).toBe(1)
  time = 1998
  expect(store.get('me', 'a')).toBe(1)
  time = 2998
  expect(store.get('me', 'a')).toBe(undefined)
})

test('does not store a value that is too large, and evicts no value for it', () => {
  const store = new OwnedStore<number>(limits)
  store.set('me', 'a', 1, 60)
  expect(store.set('me', 'b', 2, 101)).toBe(false)
  expect([store.get('me', 'a'), store.get('me', 'b')]).toEqual([1, undefined])
})

test('evicts from the owner with the most first', () => {
  const store = new OwnedStore<number>(limits)
  store.set('other', 'a', 1, 40)
  store.set('me', 'a', 1, 50)
  store.set('me', 'b', 2, 50)
  store.set('third', 'a', 1, 20)
  expect(store.get('other', 'a')).toBe(1)
  expect([store.get('me', 'a'), store.get('me', 'b')]).toEqual([undefined, 2])
})

test('stays within its limits, and separates owners', () => {
  const step = fc.record({
    owner: fc.constantFrom('a', 'b', 'c'),
    key: fc.constantFrom('1', '2', '3', '4', '5'),
    size: fc.integer({ min: 0, max: 120 }),
    later: fc.integer({ min: 0, max: 400 }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let time = 0
      const store = new OwnedStore<{ owner: string; size: number }>({ ...limits, now: () => time })
      for (const { owner, key, size, later } of steps) {
        time += later
        const isKept = store.set(owner, key, { owner, size }, size)
        if (size > limits.size) expect(isKept).toBe(false)
        else expect(store.get(owner, key)).toEqual(isKept ? { owner, size } : undefined)
        let total = 0
        for (const each of ['a', 'b', 'c']) {
          const all = ['1', '2', '3', '4', '5'].flatMap((one) => store.get(each, one) ?? [])
          const used = all.reduce((sum, one) => sum + one.size, 0)
          expect(all.length).toBeLessThanOrEqual(limits.count)
          expect(used).toBeLessThanOrEqual(limits.size)
          expect(all.every((one) => one.owner === each)).toBe(true)
          total += used
        }
        expect(total).toBeLessThanOrEqual(limits.totalSize)
      }
    }),
  )
})
