import { expect, test } from 'vitest'
import { callPart, turnItem } from '../../chat/rows/example-parts.ts'
import { runFigures } from './run-facts.tsx'

test('counts turns, calls, repairs and tokens; overlapping waits count once', () => {
  const approval = (since: number, time: number): object => ({
    approval: { key: '', request: {}, args: {}, since, answer: { approval: {}, time } },
  })
  const parts = [
    callPart({ id: 'a', repairs: ['quotes', 'comma'], ...approval(100, 200) }),
    callPart({ id: 'b', ...approval(150, 300) }),
    callPart({ id: 'c', ...approval(400, 450) }),
  ]
  const items = [turnItem({ parts }), turnItem({ turn: 1, isUnfinished: true })]
  expect(runFigures({ items, usage: { input: 3, output: 4 } }, 0)).toEqual({
    turns: 1,
    calls: 3,
    repairs: 2,
    malformed: 0,
    tokens: 7,
    waited: 250,
  })
})
