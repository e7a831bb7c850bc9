import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../../tests/helpers/size.ts'
import { unknownName } from './unknown-name.ts'

/** The edit distance of two names, by its definition. */
function edits(from: string, to: string): number {
  if (from === '' || to === '') return Math.max(from.length, to.length)
  const [one, other] = [from.slice(1), to.slice(1)]
  if (from[0] === to[0]) return edits(one, other)
  return 1 + Math.min(edits(one, to), edits(from, other), edits(one, other))
}

const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 3, maxLength: 6 })

test('suggests the nearest name if it is near enough', () => {
  fc.assert(
    fc.property(name, fc.array(name, { maxLength: 4 }), (written, known) => {
      const distances = known.map((each) => edits(written, each))
      const least = Math.min(...distances)
      const said = unknownName(written, 'known', known)
      const meant = /Did you mean `(\w+)`/.exec(said)?.[1]
      if (least > Math.floor(written.length * 0.4)) expect(meant).toBeUndefined()
      else expect(meant).toBe(known[distances.indexOf(least)])
    }),
    runs(500),
  )
})

test('shortens long lists and long names', () => {
  const known = Array.from({ length: 5000 }, (_, at) => `${'x'.repeat(100)}${at}`)
  expect(unknownName('y'.repeat(9000), 'known', known).length).toBeLessThan(4000)
})
