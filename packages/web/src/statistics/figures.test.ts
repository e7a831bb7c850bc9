import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addCounts,
  daysOf,
  heatMapOf,
  logScale,
  type ReplyFigures,
  type Statistics,
} from './figures.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 10, 16, 12)

function statistics(days: readonly string[], since?: number): Statistics {
  return {
    days: days.map((day) => ({ day, succeeded: 3, errors: 1, denied: 2 })),
    ...(since !== undefined && { since }),
  } as unknown as Statistics
}

function model(name: string, calls: number, repairs: Record<string, number>): ReplyFigures {
  const counts = Object.entries(repairs).map(([each, count]) => ({ name: each, count }))
  return { name, calls, malformed: 0, repairs: counts } as unknown as ReplyFigures
}

test('includes every day, even without calls', () => {
  const days = daysOf(statistics(['2026-11-13', '2026-11-16']), NOW)
  expect(days.map(({ time, done, failed, denied }) => [time, done, failed, denied])).toEqual([
    [Date.UTC(2026, 10, 13), 3, 1, 2],
    [Date.UTC(2026, 10, 14), 0, 0, 0],
    [Date.UTC(2026, 10, 15), 0, 0, 0],
    [Date.UTC(2026, 10, 16), 3, 1, 2],
  ])
  expect(daysOf(statistics([], NOW - 6 * DAY), NOW)).toHaveLength(7)
  expect(daysOf(statistics([]), NOW)).toHaveLength(1)
})

test('leaves out impossible dates', () => {
  const odd = ['other', '0001-01-01', '9999-12-31', '2026-13-40']
  expect(daysOf(statistics(odd), NOW)).toHaveLength(1)
  expect(daysOf(statistics(['1970-01-01']), NOW).length).toBeLessThan(4000)
  expect(daysOf(statistics([], NOW - 36_500 * DAY), NOW).length).toBeLessThan(4000)
})

test('adds counts by name', () => {
  const lists = [[{ name: 'a', count: 1 }], [{ name: 'b', count: 5 }], [{ name: 'a', count: 2 }]]
  expect(addCounts(lists)).toEqual([
    { name: 'b', count: 5 },
    { name: 'a', count: 3 },
  ])
})

test('the heat map has the most frequent repairs, and the rest in one column', () => {
  const found = heatMapOf(
    [
      model('one', 100, { a: 9, b: 5, c: 1 }),
      model('two', 50, { c: 1, d: 1 }),
      model('none', 0, {}),
    ],
    3,
    8,
  )
  expect(found).toMatchObject({ repairs: ['a', 'b'], hasOther: true })
  expect(found.rows.map(({ name, cells }) => [name, ...cells])).toEqual([
    ['one', 9, 5, 1],
    ['two', 0, 0, 4],
  ])
})

test('every duration is on its scale', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1e9 })), (durations) => {
      const { at, ticks } = logScale(durations)
      expect(ticks.length).toBeGreaterThan(1)
      expect(ticks.length).toBeLessThan(14)
      for (const each of durations) {
        expect(at(each)).toBeGreaterThanOrEqual(0)
        expect(at(each)).toBeLessThanOrEqual(1)
      }
      expect([at(ticks[0]!), at(ticks.at(-1)!)]).toEqual([0, 1])
    }),
  )
})
