import type { Item, TurnItem } from '@toolglot/react/view'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { callPart, turnItem } from '../../chat/rows/example-parts.ts'
import { createWaterfall, createScale } from './rows.ts'

const done = { status: 'success', text: '', duration: 20, started: 1100 } as const

function turnOf(parts: TurnItem['parts']): Item {
  return turnItem({ parts, started: 1000, firstToken: 30, duration: 100, isOpen: false })
}

test('each turn is followed by its calls; those without problems share a row unless one is selected', () => {
  const waterfall = createWaterfall()
  const parts = [
    callPart({ id: 'a', started: 1100, outcome: done }),
    callPart({ id: 'b', started: 1100, outcome: done }),
    callPart({ id: 'c', started: 1200, outcome: { ...done, status: 'error', started: 1200 } }),
  ]
  const items = [turnOf(parts)]
  const rows = waterfall(items, undefined, 5000)
  expect(rows.map(({ type }) => type)).toEqual(['turn', 'group', 'call'])
  expect(rows[0]?.bars).toEqual([
    { kind: 'first', from: 1000, to: 1030 },
    { kind: 'model', from: 1030, to: 1100 },
  ])
  expect(rows[2]?.bars).toEqual([{ kind: 'bad', from: 1200, to: 1220 }])
  expect(waterfall(items, undefined, 6000)[1]).toBe(rows[1])
  expect(
    waterfall(items, 'b', 5000)
      .map(({ key }) => key)
      .slice(1),
  ).toEqual(['a', 'b', 'c'])
})

test('periods in progress grow', () => {
  const waterfall = createWaterfall()
  const items = [turnOf([callPart({ id: 'a', started: 1100 })])]
  expect(waterfall(items, undefined, 2000)[1]?.bars).toEqual([
    { kind: 'tool', from: 1100, to: 2000 },
  ])
  expect(waterfall(items, undefined, 3000)[1]?.bars).toEqual([
    { kind: 'tool', from: 1100, to: 3000 },
  ])
})

test('times keep their order and range, and breaks are shortened', () => {
  const bar = fc.tuple(fc.nat(1e9), fc.nat(1e5))
  fc.assert(
    fc.property(fc.array(bar, { minLength: 1, maxLength: 30 }), (pairs) => {
      const bars = pairs.map(
        ([from, length]) => ({ kind: 'tool', from, to: from + length }) as const,
      )
      const { place, total, ticks } = createScale([{ type: 'malformed', key: '', turn: 0, bars }])
      const times = bars.flatMap(({ from, to }) => [from, to]).sort((one, other) => one - other)
      const places = times.map(place)
      expect(places[0]).toBe(0)
      expect(places.at(-1)).toBeCloseTo(total === 0 ? 0 : 1)
      places.reduce((before, each) => (expect(each).toBeGreaterThanOrEqual(before), each))
      const busy = pairs.reduce((sum, [, length]) => sum + length, 0)
      expect(total).toBeLessThanOrEqual(busy + pairs.length * Math.max(1, busy * 0.02))
      expect(ticks.length).toBeLessThanOrEqual(7)
    }),
  )
})
