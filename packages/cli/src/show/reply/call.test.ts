import { expect, test } from 'vitest'
import type { Call } from '@toolglot/core'
import { cautionsFor, showArguments } from './call.ts'
import picocolors from 'picocolors'

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
  [{ inReasoning: true }, 'inside reasoning, without visible text after it'],
  [{ fenced: true }, 'inside a code fence'],
  [{ markerless: true }, 'no call markers: this JSON may not be an intended call'],
  [{ afterMalformed: true }, 'started inside a block that could not be read'],
  [{ afterResult: true }, 'comes after a result that the model made up'],
] satisfies [Partial<Call>, string][])('%j: %s', (fact, expected) => {
  expect(cautionsFor({ ...call, ...fact })).toEqual([expected])
})

const plain = picocolors.createColors(false)

test('prints one key per line, and short lists on one line', () => {
  const args = { city: 'Hanoi', units: ['c', 'f'], nested: { list: [{ a: 1 }] }, none: {} }
  expect(showArguments(args, plain).join('\n')).toBe(`{
  "city": "Hanoi",
  "units": ["c", "f"],
  "nested": {
    "list": [
      {
        "a": 1
      }
    ]
  },
  "none": {}
}`)
})

test('does not change strings that look like JSON', () => {
  const args = { code: 'a = [\n  1,\n  2\n]', 'key": [': '"]"' }
  expect(JSON.parse(showArguments(args, plain).join('\n'))).toEqual(args)
})

test('colors the keys', () => {
  const colors = picocolors.createColors(true)
  expect(showArguments({ days: 3 }, colors)[1]).toBe(
    `  ${colors.cyan('"days"')}: ${colors.yellow('3')}`,
  )
})
