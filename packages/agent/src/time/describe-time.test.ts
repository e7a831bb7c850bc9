import { expect, test } from 'vitest'
import { describeTime } from './describe-time.ts'

test.each([
  [0, '0.1 s'],
  [450, '0.5 s'],
  [999, '1 s'],
  [7000, '7 s'],
  [60_000, '1 min'],
  [125_000, '2 min 5 s'],
  [3_600_000, '1 h'],
  [7_261_000, '2 h 1 min 1 s'],
])('%i ms is %s', (time, shown) => {
  expect(describeTime(time)).toBe(shown)
})
