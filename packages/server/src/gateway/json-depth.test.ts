import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isDeeperThan } from './json-depth.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

test('counts as JSON.parse nests', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(6), (value, max) => {
      expect(isDeeperThan(max, bytes(JSON.stringify(value)))).toBe(depthOf(value) > max)
    }),
  )
})

test.each(['"[[["', String.raw`"\"[[["`, String.raw`"\\\"[[["`, '{"[[[":"{{{"}', '"[[[', '1]]]]'])(
  'brackets in strings do not count: %s',
  (text) => {
    expect(isDeeperThan(1, bytes(text))).toBe(false)
  },
)

test('a string that ends in a backslash ends', () => {
  expect(isDeeperThan(1, bytes(String.raw`["\\",[1]]`))).toBe(true)
})
