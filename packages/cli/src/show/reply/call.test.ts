import { expect, test } from 'vitest'
import type { Call } from '@toolglot/core'
import { cautionsFor } from './call.ts'

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

test('an ordinary call needs no caution', () => {
  expect(cautionsFor(call)).toEqual([])
})

test.each([
  [{ complete: false }, 'the reply was cut off in the middle of this call: not safe to run'],
  [{ repairs: ['trailing-comma', 'coerced'] }, 'repaired: trailing-comma, coerced'],
  [{ inReasoning: true }, 'inside reasoning, with nothing visible after it'],
  [{ fenced: true }, 'inside a code fence'],
  [{ markerless: true }, 'no call markers: this JSON may not be an intended call'],
  [{ afterMalformed: true }, 'started inside a block that could not be read'],
  [{ afterResult: true }, 'comes after a result that the model made up'],
] satisfies [Partial<Call>, string][])('%j: %s', (fact, expected) => {
  expect(cautionsFor({ ...call, ...fact })).toEqual([expected])
})
