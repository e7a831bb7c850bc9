import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_AGE, MAX_TEXT, type PastRun, readHistory, withRun } from './history.ts'

const run = (id: number, more: Partial<PastRun> = {}): PastRun => ({
  id: String(id),
  tool: 'Read',
  args: { file_path: 'a' },
  status: 'success',
  text: 'x',
  cut: 0,
  exitCode: null,
  duration: 3,
  time: 1,
  ...more,
})

test('keeps the last ten runs, newest first', () => {
  const all = Array.from({ length: 12 }, (_, at) => run(at)).reduce<readonly PastRun[]>(withRun, [])
  expect(all.map(({ id }) => id)).toEqual(['11', '10', '9', '8', '7', '6', '5', '4', '3', '2'])
  expect(readHistory(JSON.stringify(all), 2)).toEqual(all)
})

test('truncates long results and records the length; skips arguments that are too long', () => {
  const [kept] = withRun([], run(1, { text: 'x'.repeat(MAX_TEXT + 5) }))
  expect([kept!.text.length, kept!.cut]).toEqual([MAX_TEXT, 5])
  expect(withRun([], run(1, { args: { x: 'y'.repeat(30_000) } }))).toEqual([])
})

test('ignores invalid stored data', () => {
  for (const stored of [
    undefined,
    '',
    '{',
    '{}',
    '[1, null, {"id": "a"}]',
    '"x"',
    '[{"__proto__": {"id": "x"}}]',
  ])
    expect(readHistory(stored, 2)).toEqual([])
  expect(
    readHistory(
      JSON.stringify([run(1, { time: 1e300 }), run(2, { text: 'x'.repeat(30_000) }), run(3)]),
      2,
    ),
  ).toEqual([run(3)])
  fc.assert(fc.property(fc.json(), (stored) => void readHistory(stored, 2)))
})

test('removes runs older than thirty days', () => {
  const stored = JSON.stringify([run(1, { time: MAX_AGE }), run(2, { time: 1 })])
  expect(readHistory(stored, MAX_AGE + 1).map(({ id }) => id)).toEqual(['1'])
})
