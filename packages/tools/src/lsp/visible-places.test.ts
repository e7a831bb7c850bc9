import fc from 'fast-check'
import { expect, test } from 'vitest'
import { characterAt, linesIn, unitsBefore } from './visible-places.ts'

test('converting a position back and forth gives the same position', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(), (line, some) => {
      const length = Array.from(line).length
      const character = 1 + (some % (length + 1))
      const units = unitsBefore(line, character)!
      expect(Array.from(line.slice(0, units))).toHaveLength(character - 1)
      expect(characterAt(line, units)).toBe(character)
      expect(unitsBefore(line, length + 2)).toBeUndefined()
    }),
  )
})

test('splits lines as the protocol does', () => {
  expect(linesIn('a\r\nb\rc\n\nd')).toEqual(['a', 'b', 'c', '', 'd'])
  expect(characterAt('😀b', 99)).toBe(3)
})
