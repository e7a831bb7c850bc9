import type { Finish } from '@toolglot/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HOURS, runs } from '../../../../../tests/helpers/size.ts'
import { finish as finishes } from '../../../../core/test/finish.ts'
import type { RunCall } from '../event.ts'
import { CallIds } from './call-ids.ts'
import { NativeCalls } from './native-calls.ts'

const tools = [{ name: 'do', description: 'Does it', parameters: { type: 'object' } }]

/** The native call with these arguments, in a reply with this finish reason. */
async function called(args: string, finish: Finish): Promise<RunCall> {
  const native = new NativeCalls({ tools }, new CallIds(undefined), () => undefined)
  native.add({ type: 'call', index: 0, id: 'x', name: 'do', delta: args })
  const calls = await native.end(finish)
  expect(calls).toHaveLength(1)
  return calls[0]!
}

const ALL: readonly Finish[] = ['stop', 'stop-string', 'length', 'broken']

async function checkCuts(args: string, meant: object, end = args.lastIndexOf('}')): Promise<void> {
  for (const finish of ALL) {
    for (let at = 1; at <= end; at++) {
      const cut = args.slice(0, at)
      expect(await called(cut, finish)).toMatchObject({ raw: cut, complete: false })
    }
    expect(await called(args, finish)).toMatchObject({ complete: true, args: meant })
  }
}

/** Mistakes, and the intended arguments. */
const slips: readonly (readonly [string, object])[] = [
  ['{"command":"rm -rf /tmp"}', { command: 'rm -rf /tmp' }],
  ['{"a": {"b": [1, {"c": "}"}]}, "d": null}', { a: { b: [1, { c: '}' }] }, d: null }],
  ["{'a': 'x', 'b': ['y',],}", { a: 'x', b: ['y'] }],
  ['{a: True, b: None}', { a: true, b: null }],
  ['{"a": 1 "b": [2 "c"]}', { a: 1, b: [2, 'c'] }],
  ['{"a": 1 // }\n, "b": /* } */ 2}', { a: 1, b: 2 }],
  ['{"a": "x\ny"}', { a: 'x\ny' }],
  ['{"a": "He said "hi" there"}', { a: 'He said "hi" there' }],
  ['{"a": "\\$5"}', { a: '\\$5' }],
  ['```json\n{"a": {"b": 1}}\n```', { a: { b: 1 } }],
  ['{{"a": 1}}', { a: 1 }],
]

describe('a cut invents nothing', () => {
  test.each(slips)('every prefix of %s is incomplete, for any ending of the reply', checkCuts)

  test('every prefix of JSON in a string is incomplete', async () => {
    const args = JSON.stringify('{"a": {"b": "c"}}')
    await checkCuts(args, { a: { b: 'c' } }, args.length - 1)
    for (const finish of ALL)
      expect((await called(JSON.stringify('{"a": {"b": "c"}'), finish)).complete).toBe(false)
  })

  test('arguments that were cut off are incomplete', { timeout: HOURS }, () =>
    fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { noNullPrototype: true }),
        fc.nat(2),
        fc.nat(),
        finishes,
        async (args, indent, seed, finish) => {
          const json = JSON.stringify(args, null, indent)
          // Such keys are always rejected.
          fc.pre(!/__proto__|constructor|prototype/.test(json))
          const cut = json.slice(0, 1 + (seed % (json.length - 1)))
          expect((await called(cut, finish)).complete).toBe(false)
          const whole = await called(json, finish)
          expect(whole.complete).toBe(true)
          expect(whole.args).toEqual(JSON.parse(json))
        },
      ),
      runs(300),
    ),
  )
})

test.each([
  ['{"a": 1}}', 'extra-bracket'],
  ['{"a": 1},', 'trailing-comma'],
])('text after a closed object may be a mistake: %s', async (args, repair) => {
  expect(await called(args, 'stop')).toMatchObject({
    complete: true,
    args: { a: 1 },
    repairs: [repair],
  })
})

test.each(['{"a": "1"} {"a": "2"}', '{"a": 1} and more', '[]', '"x"', '3', 'true', 'hello'])(
  'arguments other than a single object are not a call: %s',
  async (args) => {
    expect(await called(args, 'stop')).toMatchObject({ complete: false, args: {} })
  },
)

test('null means no arguments', async () => {
  expect(await called('null', 'stop')).toMatchObject({
    complete: true,
    args: {},
    repairs: ['null-arguments'],
  })
})
