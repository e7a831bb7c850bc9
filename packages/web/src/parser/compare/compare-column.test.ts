import { expect, test } from 'vitest'
import { differences } from './compare-column.tsx'

function pieces(...given: readonly (readonly [kind: number, end: number])[]) {
  return {
    kinds: Uint8Array.from(given, ([kind]) => kind),
    ends: Uint32Array.from(given, ([, end]) => end),
  }
}

test('finds where readings differ, with context', () => {
  const one = pieces([0, 100], [3, 150], [0, 400])
  expect(differences([one, pieces([0, 400])], 400)).toEqual([[76, 174]])
  expect(differences([one, one], 400)).toEqual([])
  expect(differences([one], 400)).toEqual([])
})

test('merges nearby differences', () => {
  const one = pieces([3, 10], [0, 20], [3, 30], [0, 300])
  expect(differences([one, pieces([0, 300])], 300)).toEqual([[0, 54]])
})
