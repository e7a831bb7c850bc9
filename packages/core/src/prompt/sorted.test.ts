import { expect, test } from 'vitest'
import { sortedJson } from './sorted.ts'

test('sorts keys at every depth and keeps lists unchanged', () => {
  expect(sortedJson([{ b: 1, a: { d: [2, 1], c: 'é' } }])).toBe('[{"a":{"c":"é","d":[2,1]},"b":1}]')
})
