import { expect, test } from 'vitest'
import { createSeenPieces, createSteadiness } from './card-sight.ts'

const size = { width: 500, height: 1000 }
const [one, other] = [{ name: 'one' }, { name: 'other' }]

test('what was never in sight is unseen from its top', () => {
  const seen = createSeenPieces()
  expect(seen.unseen([one])).toEqual({ piece: one, at: 0 })
  seen.see(one, { ...size, from: 0, to: 0 })
  expect(seen.unseen([one])).toEqual({ piece: one, at: 0 })
  expect(seen.unseen([])).toBeUndefined()
})

test('what was in sight bit by bit was seen', () => {
  const seen = createSeenPieces()
  seen.see(one, { ...size, from: 0, to: 400 })
  seen.see(one, { ...size, from: 350, to: 750 })
  expect(seen.unseen([one])).toEqual({ piece: one, at: 750 })
  seen.see(one, { ...size, from: 700, to: 1000 })
  expect(seen.unseen([one])).toBeUndefined()
  expect(seen.unseen([one, other])).toEqual({ piece: other, at: 0 })
})

test('the order does not matter, and gaps do', () => {
  const seen = createSeenPieces()
  seen.see(one, { ...size, from: 600, to: 1000 })
  expect(seen.unseen([one])).toEqual({ piece: one, at: 0 })
  seen.see(one, { ...size, from: 0, to: 400 })
  expect(seen.unseen([one])).toEqual({ piece: one, at: 400 })
  seen.see(one, { ...size, from: 300, to: 700 })
  expect(seen.unseen([one])).toBeUndefined()
})

test('what has grown has something new at its end', () => {
  const seen = createSeenPieces()
  seen.see(one, { ...size, from: 0, to: 1000 })
  seen.see(one, { width: 500, height: 1500, from: 0, to: 0 })
  expect(seen.unseen([one])).toEqual({ piece: one, at: 1000 })
})

test.each([
  { width: 300, height: 1000 },
  { width: 500, height: 900 },
])('what looks different has not been seen: %o', (changed) => {
  const seen = createSeenPieces()
  seen.see(one, { ...size, from: 0, to: 1000 })
  seen.see(one, { ...changed, from: 0, to: 0 })
  expect(seen.unseen([one])).toEqual({ piece: one, at: 0 })
})

const place = { x: 10, y: 20, width: 300, height: 200 }

test('what has just appeared is not steady', () => {
  const steadiness = createSteadiness()
  expect(steadiness.isSteady(10_000)).toBe(false)
  steadiness.see(place, 10_000)
  expect(steadiness.isSteady(10_399)).toBe(false)
  expect(steadiness.isSteady(10_400)).toBe(true)
})

test.each([{ y: 25 }, { x: 0 }, { height: 400 }, { width: 250 }])('%o is a movement', (moved) => {
  const steadiness = createSteadiness()
  steadiness.see(place, 0)
  steadiness.see({ ...place, ...moved }, 1000)
  expect(steadiness.isSteady(1399)).toBe(false)
  expect(steadiness.isSteady(1400)).toBe(true)
})

test('seeing it where it was, or rounded, changes nothing', () => {
  const steadiness = createSteadiness()
  steadiness.see(place, 0)
  steadiness.see({ ...place, y: 20.6 }, 399)
  expect(steadiness.isSteady(400)).toBe(true)
})

test('many small steps are a movement', () => {
  const steadiness = createSteadiness()
  for (let step = 0; step <= 10; step++) steadiness.see({ ...place, y: 20 + step }, step * 100)
  expect(steadiness.isSteady(1100)).toBe(false)
})

test('what nobody saw for a moment appears again', () => {
  const steadiness = createSteadiness()
  steadiness.see(place, 0)
  steadiness.hide()
  expect(steadiness.isSteady(5000)).toBe(false)
  steadiness.see(place, 5000)
  expect(steadiness.isSteady(5399)).toBe(false)
  expect(steadiness.isSteady(5400)).toBe(true)
})
