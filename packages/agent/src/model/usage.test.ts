import { expect, test } from 'vitest'
import { withCost } from './usage.ts'

test('more cached tokens than input tokens do not make the cost negative', () => {
  const price = { input: 3, output: 15, cached: 0.3, currency: 'USD' }
  const usage = withCost({ input: 1000, output: 10, cached: Number.MAX_SAFE_INTEGER }, price)
  expect(usage.cost).toBeCloseTo((1000 * 0.3 + 10 * 15) / 1e6, 10)
})
