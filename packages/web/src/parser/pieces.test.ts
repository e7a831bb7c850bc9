import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstOver } from './pieces.ts'

test('finds the first greater number', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50)), fc.nat(60), (numbers, number) => {
      const sorted = numbers.sort((a, b) => a - b)
      const found = sorted.findIndex((each) => each > number)
      expect(firstOver(sorted, number)).toBe(found < 0 ? sorted.length : found)
    }),
  )
})
