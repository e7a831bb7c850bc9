// Laws 1 and 2 for arbitrary text and options.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chunked, sizes } from '../../test/chunks.ts'
import { finish } from '../../test/finish.ts'
import { tools } from '../../test/known-tools.ts'
import { marks } from '../../test/markup.ts'
import { spoiled } from '../../test/mutations.ts'
import { expectNothingLost } from '../../test/nothing-lost.ts'
import { read } from '../check/reading.ts'
import { HOURS, runs } from '../../../../tests/helpers/size.ts'
import { expectSoundEvents } from '../../test/sound-events.ts'
import { own } from '../../test/sources.ts'
import { protocols } from '../index.ts'
import { details } from '../details/details.ts'

const all = Object.values(protocols)

const fragments = [
  ...marks,
  ...['{', '}', '[', ']', '"', '\\', ',', ':', "'", '`', '```', '~~~', '\n', '\n\n', ' ', '  '],
  ...['"name"', '"arguments"', '"tool"', '"args"', '"parameters"', '{"a":1}', '{"a":"x"}'],
  ...['ping', 'null', '<think>', '</think>', '<', '</', '<|', '「', '__proto__'],
  ...['\u{1f600}', '\ud800', '\udc00', '\0', '\ufeff'],
]

/** Marks of all protocols and text from between them, in any order. */
const soup: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(...fragments), fc.string({ maxLength: 6 })), { maxLength: 24 })
  .map((parts) => parts.join(''))

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
    details: fc.constant(details),
    startsInReasoning: fc.boolean(),
    tools: fc.constant(tools),
    prefix: fc.constantFrom('<think>\n', '<|im_start|>assistant\n'),
  },
  { requiredKeys: [] },
)

test(
  'any chunking gives the same events, loses no text and never throws',
  { timeout: HOURS },
  () => {
    fc.assert(
      fc.property(anyText, options, sizes, finish, (text, given, pieces, end) => {
        const whole = read([text], given, end)
        expectNothingLost(text, whole)
        expectSoundEvents(whole)
        expect(read(chunked(text, pieces), given, end).reply).toEqual(whole.reply)
      }),
      runs(5000),
    )
  },
)
