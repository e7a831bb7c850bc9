import type { RunEvent } from '@toolglot/agent'
import { createFold, type RunView } from '@toolglot/react/view'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stories, streamOf } from '../../../../react/test/recorded-streams.ts'
import { createHistory } from './use-history.ts'
import { isLong, runs } from '../../../../../tests/helpers/size.ts'

function foldOf(events: readonly RunEvent[]): RunView {
  const fold = createFold('run-1')
  for (const event of events) fold.add(event)
  return fold.view()
}

test('returns the run as it was after any number of events', async () => {
  const places = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(
      stories,
      places,
      fc.integer({ min: 1, max: 9 }),
      async (story, where, interval) => {
        const { recorded } = await streamOf(story)
        const history = createHistory('run-1', interval)
        const middle = recorded.length >> 1
        history.add(recorded.slice(0, middle))
        history.viewAt(middle)
        history.add(recorded.slice(middle))
        for (const place of [...where, 1]) {
          const count = Math.round(place * recorded.length)
          expect(history.viewAt(count)).toEqual(foldOf(recorded.slice(0, count)))
        }
      },
    ),
    runs(100),
  )
})

/** A run of many empty turns. */
function longRun(turns: number): RunEvent[] {
  const usage = { input: 1, output: 1 }
  return Array.from({ length: turns }, (_, turn): RunEvent[] => {
    const all = { run: 'run-1', time: turn }
    return [
      { ...all, seq: turn * 3, type: 'turn-start', turn },
      { ...all, seq: turn * 3 + 1, type: 'text', delta: `Turn ${turn}`, at: 0 },
      { ...all, seq: turn * 3 + 2, type: 'turn-end', turn, usage },
    ]
  }).flat()
}

test('keeps a limited number of folds, and reuses the objects of finished turns', () => {
  const turns = isLong ? 2000 : 300
  const all = 3 * turns
  const events = longRun(turns)
  const history = createHistory('run-1', 16)
  history.add(events)
  expect(history.count()).toBe(all)
  for (const count of [0, 1, 15, 16, 17, all / 2, all - 1, all])
    expect(history.viewAt(count)).toEqual(foldOf(events.slice(0, count)))
  const one = history.viewAt(2 * turns)
  const next = history.viewAt(2 * turns + 1)
  expect(next.items[100]).toBe(one.items[100])
})

test('moves between turns', () => {
  const history = createHistory('run-1')
  history.add(longRun(3))
  expect(history.stopFrom(0, 1)).toBe(1)
  expect(history.stopFrom(1, 1)).toBe(4)
  expect(history.stopFrom(8, 1)).toBe(9)
  expect(history.stopFrom(9, -1)).toBe(7)
  expect(history.stopFrom(1, -1)).toBe(0)
  expect(history.timeAt(4)).toBe(1)
})

test('reuses the objects of unchanged turns between any two positions', () => {
  const history = createHistory('run-1', 10)
  history.add(longRun(100))
  const [first] = history.viewAt(300).items
  for (const count of [295, 25, 150, 149, 60, 300])
    expect(history.viewAt(count).items[0]).toBe(first)
})
