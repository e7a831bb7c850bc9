import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeThrown } from './describe-thrown.ts'

const { proxy: revoked, revoke } = Proxy.revocable(new Error('x'), {})
revoke()
class Sly extends Error {
  override get message(): string {
    throw new Error('no message')
  }
}
const round = new Error('round')
round.cause = round

test.each<[string, unknown, string]>([
  ['an error', new Error('it broke'), 'it broke'],
  ['text', 'it broke', 'it broke'],
  ['empty text', '', '"" was thrown without a reason.'],
  ['null', null, 'null was thrown without a reason.'],
  ['undefined', undefined, 'undefined was thrown without a reason.'],
  ['a number', 42, '42 was thrown without a reason.'],
  ['an object', { code: 1 }, '{"code":1} was thrown.'],
  ['a frozen error', Object.freeze(new TypeError('cold')), 'cold'],
  ['an error without a message', new RangeError(), 'RangeError was thrown without a message.'],
  ['a message that throws', new Sly(), 'Error was thrown without a message.'],
  ['a revoked proxy', revoked, '"[unreadable: '],
  ['a cause', new Error('a', { cause: new Error('b') }), 'a (because: b)'],
  ['its own cause', round, 'round'],
  ['many', new AggregateError([new Error('one'), new Error('two')], 'all'), 'all (because: one)'],
])('%s', (_, thrown, expected) => {
  expect(describeThrown(thrown)).toContain(expected)
})

test('truncates a long message', () => {
  expect(describeThrown(new Error('x'.repeat(1 << 20)))).toHaveLength(4001)
})

test('law: every thrown value has a description', () => {
  fc.assert(
    fc.property(fc.anything(), (thrown) => {
      expect(describeThrown(thrown).trim()).not.toBe('')
    }),
    { numRuns: 1000 },
  )
})
