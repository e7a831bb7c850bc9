import { expect, test } from 'vitest'
import type { Call } from '@toolglot/core'
import { doubts } from './call.ts'

const call: Call = {
  id: 'a',
  name: 'now',
  args: {},
  protocol: 'hermes',
  complete: true,
  repairs: [],
  raw: '',
  span: [0, 0],
}

test('a plain call leaves no doubt', () => {
  expect(doubts(call)).toEqual([])
})

test.each([
  [{ complete: false }, 'the reply ended inside this call: do not run it'],
  [{ repairs: ['trailing-comma', 'coerced'] }, 'repaired: trailing-comma, coerced'],
  [{ inReasoning: true }, 'inside reasoning that never closed'],
  [{ fenced: true }, 'inside a code fence'],
  [{ markerless: true }, 'without marks of its own'],
  [{ afterMalformed: true }, 'began inside a block that could not be read'],
  [{ afterResult: true }, 'follows a result that the model made up'],
] satisfies [Partial<Call>, string][])('%j: %s', (fact, expected) => {
  expect(doubts({ ...call, ...fact })).toEqual([expected])
})
