import { expect, test } from 'vitest'
import { createSeenPieces } from './seen-pieces.ts'

const size = { width: 500, height: 1000 }
const [one, other] = [{ name: 'one' }, { name: 'other' }]

test('a piece that was never visible is unseen from its top', () => {
  const seen = createSeenPieces()
  expect(seen.unseen([one])).toEqual({ piece: one, at: 0 })
  seen.see(one, { ...size, from: 0, to: 0 })
  expect(seen.unseen([one])).toEqual({ piece: one, at: 0 })
  expect(seen.unseen([])).toBeUndefined()
})

test('a piece seen bit by bit counts as seen', () => {
  const seen = createSeenPieces()
  seen.see(one, { ...size, from: 0, to: 400 })
  seen.see(one, { ...size, from: 350, to: 750 })
  expect(seen.unseen([one])).toEqual({ piece: one, at: 750 })
  seen.see(one, { ...size, from: 700, to: 1000 })
  expect(seen.unseen([one])).toBeUndefined()
  expect(seen.unseen([one, other])).toEqual({ piece: other, at: 0 })
})

test('the order does not matter, but gaps do', () => {
  const seen = createSeenPieces()
  seen.see(one, { ...size, from: 600, to: 1000 })
  expect(seen.unseen([one])).toEqual({ piece: one, at: 0 })
  seen.see(one, { ...size, from: 0, to: 400 })
  expect(seen.unseen([one])).toEqual({ piece: one, at: 400 })
  seen.see(one, { ...size, from: 300, to: 700 })
  expect(seen.unseen([one])).toBeUndefined()
})

test('a piece that has grown is unseen at its end', () => {
  const seen = createSeenPieces()
  seen.see(one, { ...size, from: 0, to: 1000 })
  seen.see(one, { width: 500, height: 1500, from: 0, to: 0 })
  expect(seen.unseen([one])).toEqual({ piece: one, at: 1000 })
})

test.each([
  { width: 300, height: 1000 },
  { width: 500, height: 900 },
])('a changed piece counts as unseen: %o', (changed) => {
  const seen = createSeenPieces()
  seen.see(one, { ...size, from: 0, to: 1000 })
  seen.see(one, { ...changed, from: 0, to: 0 })
  expect(seen.unseen([one])).toEqual({ piece: one, at: 0 })
})
