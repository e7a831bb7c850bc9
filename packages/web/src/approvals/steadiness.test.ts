import { expect, test } from 'vitest'
import { createSteadiness } from './steadiness.ts'

const place = { x: 10, y: 20, width: 300, height: 200 }

test('is not steady right after it appears', () => {
  const steadiness = createSteadiness()
  expect(steadiness.isSteady(10_000)).toBe(false)
  steadiness.see(place, 10_000)
  expect(steadiness.isSteady(10_399)).toBe(false)
  expect(steadiness.isSteady(10_400)).toBe(true)
})

test.each([{ y: 25 }, { x: 0 }, { height: 400 }, { width: 250 }])(
  'counts %o as a movement',
  (moved) => {
    const steadiness = createSteadiness()
    steadiness.see(place, 0)
    steadiness.see({ ...place, ...moved }, 1000)
    expect(steadiness.isSteady(1399)).toBe(false)
    expect(steadiness.isSteady(1400)).toBe(true)
  },
)

test('ignores rounding errors and unchanged positions', () => {
  const steadiness = createSteadiness()
  steadiness.see(place, 0)
  steadiness.see({ ...place, y: 20.6 }, 399)
  expect(steadiness.isSteady(400)).toBe(true)
})

test('counts many small steps as a movement', () => {
  const steadiness = createSteadiness()
  for (let step = 0; step <= 10; step++) steadiness.see({ ...place, y: 20 + step }, step * 100)
  expect(steadiness.isSteady(1100)).toBe(false)
})

test('counts as new after it was hidden', () => {
  const steadiness = createSteadiness()
  steadiness.see(place, 0)
  steadiness.hide()
  expect(steadiness.isSteady(5000)).toBe(false)
  steadiness.see(place, 5000)
  expect(steadiness.isSteady(5399)).toBe(false)
  expect(steadiness.isSteady(5400)).toBe(true)
})
