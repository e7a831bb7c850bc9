import { expect, test } from 'vitest'
import { timeLeft } from './approval-card.tsx'

test.each([
  [600_000, 'minute', 10, 60_000],
  [599_000, 'minute', 10, 59_000],
  [91_000, 'minute', 2, 31_000],
  [89_500, 'second', 90, 1000],
  [1, 'second', 1, 1000],
  [3 * 3_600_000, 'hour', 3, 3_600_000],
  [2 * 86_400_000, 'day', 2, 86_400_000],
] as const)('%d ms', (milliseconds, unit, value, changesIn) => {
  expect(timeLeft(milliseconds)).toEqual({ unit, value, changesIn })
})

test('nothing is left at the end', () => {
  expect(timeLeft(0)).toBeUndefined()
  expect(timeLeft(-5)).toBeUndefined()
})

test('it never changes more than once a second', () => {
  for (let left = 1; left < 200_000; left += 37) {
    expect(timeLeft(left)!.changesIn).toBeGreaterThanOrEqual(1000)
  }
})
