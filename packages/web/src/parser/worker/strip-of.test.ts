import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stripOf } from './strip-of.ts'

test('keeps the total length and the long pieces, within the maximum', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 50 })), {
        minLength: 1,
        maxLength: 400,
      }),
      fc.integer({ min: 2, max: 60 }),
      (pieces, max) => {
        let end = 0
        const ends = Uint32Array.from(pieces, ([, length]) => (end += length))
        const strip = stripOf({ kinds: Uint8Array.from(pieces, ([kind]) => kind), ends }, max)
        expect(strip.kinds.length).toBeLessThanOrEqual(Math.max(max, 2))
        expect(strip.ends.at(-1)).toBe(end)
        expect([...strip.ends]).toEqual([...strip.ends].sort((a, b) => a - b))
      },
    ),
  )
})
