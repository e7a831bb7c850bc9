// Laws 1 and 2 on any text at all, with any options.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chunked, sizes } from '../../fixtures/chunks.ts'
import { finish } from '../../fixtures/finish.ts'
import { tools } from '../../fixtures/known-tools.ts'
import { spoiled } from '../../fixtures/mutations.ts'
import { expectNothingLost } from '../../fixtures/nothing-lost.ts'
import { read } from '../../fixtures/read.ts'
import { HOURS, runs } from '../../fixtures/runs.ts'
import { soup } from '../../fixtures/soup.ts'
import { expectSoundEvents } from '../../fixtures/sound-events.ts'
import { own } from '../../fixtures/sources.ts'
import { protocols } from '../index.ts'

const all = Object.values(protocols)

const anyText = fc
  .array(
    fc.oneof(
      soup,
      spoiled(own).map(({ text }) => text),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => parts.join(''))

const options = fc.record(
  {
    protocols: fc.constantFrom(...all),
    repairs: fc.boolean(),
    startsInReasoning: fc.boolean(),
    tools: fc.constant(tools),
    prefix: fc.constantFrom('<think>\n', '<|im_start|>assistant\n'),
  },
  { requiredKeys: [] },
)

test('any chunking gives the same, nothing is lost, nothing throws', { timeout: HOURS }, () => {
  fc.assert(
    fc.property(anyText, options, sizes, finish, (text, given, pieces, end) => {
      const whole = read([text], given, end)
      expectNothingLost(text, whole)
      expectSoundEvents(whole)
      expect(read(chunked(text, pieces), given, end).reply).toEqual(whole.reply)
    }),
    runs(5000),
  )
})
