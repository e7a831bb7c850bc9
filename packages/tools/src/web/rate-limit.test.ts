import { expect, test } from 'vitest'
import { RateLimit } from './rate-limit.ts'

test('limits the requests to each host within any minute', () => {
  let now = 0
  const rate = new RateLimit(2, () => now)
  rate.take('a.test')
  now = 30_000
  rate.take('a.test')
  now = 59_000
  expect(() => rate.take('a.test')).toThrow('Wait 1 seconds')
  rate.take('b.test')
  now = 60_000
  rate.take('a.test')
  expect(() => rate.take('a.test')).toThrow('Wait 30 seconds')
})
