import { expect, test } from 'vitest'
import { costOf } from './spent.ts'

test('a server that counts more from its cache than there was does not make a reply cheaper than free', () => {
  const price = { input: 3, output: 15, cached: 0.3, currency: 'USD' }
  const spent = costOf({ input: 1000, output: 10, cached: Number.MAX_SAFE_INTEGER }, price)
  expect(spent.cost).toBeCloseTo((1000 * 0.3 + 10 * 15) / 1e6, 10)
})
