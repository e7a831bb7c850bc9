// Law 2 on damaged replies: the segments add up to the reply, every announced call ends, and
// nothing throws.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { finish } from '../../test/finish.ts'
import { spoiled } from '../../test/mutations.ts'
import { expectNothingLost } from '../../test/nothing-lost.ts'
import { read } from '../check/reading.ts'
import { HOURS, runs } from '../../../../tests/helpers/size.ts'
import { expectSoundEvents } from '../../test/sound-events.ts'
import { kinds, waysOf } from '../../test/sources.ts'
import { parse, protocols } from '../index.ts'

describe.each(kinds)('$kind', ({ list }) => {
  test('segments add up to the reply, and events are sound', { timeout: HOURS }, () => {
    fc.assert(
      fc.property(spoiled(list), finish, fc.boolean(), ({ source, text }, end, repairs) => {
        for (const way of waysOf(source)) {
          const whole = read([text], { ...way, repairs }, end)
          expectNothingLost(text, whole)
          expectSoundEvents(whole)
        }
      }),
      runs(1000),
    )
  })
})

test.each([
  'The list [print(a), b] is odd.',
  '[foo(x) for x in y]',
  'Use [max(a=1)](url).',
  'See [f(x)=2, g(y)=3].',
])('prose that looks like a list of calls: %s', (text) => {
  expect(parse(text, { protocols: protocols.pythonic })).toMatchObject({ calls: [], text })
})
