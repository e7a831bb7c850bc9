// Laws 1 and 2 on floods, which repeat the same openings. The reader takes shortcuts that it does
// not take for a single opening.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chunked, sizes } from '../../test/chunks.ts'
import { finish } from '../../test/finish.ts'
import { folded } from '../../test/folded.ts'
import { tools } from '../../test/known-tools.ts'
import { marks } from '../../test/markup.ts'
import { expectNothingLost } from '../../test/nothing-lost.ts'
import { HOURS, runs } from '../../../../tests/helpers/size.ts'
import { own } from '../../test/sources.ts'
import { read } from '../check/reading.ts'
import { type ParserOptions, protocols } from '../index.ts'

/** An input up to this length, in characters, cannot contain a call that exceeds either limit. */
const SHORT = 3000
const [LOOKS, READS] = [1 << 22, 1 << 12].map((length) => length - 1)

const pieces = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...marks) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...[
        'ping',
        'f',
        'x',
        '{',
        '{"x":',
        '{"name": "ping", ',
        '[',
        '"',
        '>',
        '`',
        '\n',
        ' ',
        '\\n',
      ],
      ...['```json\n', '{"a": "b"}', '\u{1d4b3}', '\ud800', '<', '</', '<a> '],
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...own), fc.nat({ max: 200 }))
      .map(([{ text }, length]) => text.slice(0, length)),
  },
)

const flood = fc
  .tuple(
    fc.array(pieces, { maxLength: 1 }),
    fc.array(pieces, { minLength: 1, maxLength: 3 }),
    fc.integer({ min: 1, max: 12 }),
    fc.array(pieces, { maxLength: 2 }),
  )
  .map(([head, unit, times, tail]) =>
    [...head, unit.join('').repeat(times), ...tail].join('').slice(0, SHORT),
  )

const some = fc.constantFrom(undefined, ...Object.values(protocols))

test('a flood of openings gives the same result in any chunks', { timeout: HOURS }, () => {
  fc.assert(
    fc.property(flood, some, sizes, finish, fc.boolean(), (text, protocol, parts, end, repairs) => {
      const options: ParserOptions = { tools, repairs, ...(protocol && { protocols: protocol }) }
      const whole = read([text], options, end)
      expectNothingLost(text, whole)
      expect(folded(read(chunked(text, parts), options, end).events)).toEqual(folded(whole.events))
    }),
    runs(400),
  )
})

test('blocks that the lookahead rules out cannot be read', { timeout: HOURS }, () => {
  fc.assert(
    fc.property(flood, some, sizes, finish, fc.boolean(), (text, protocol, parts, end, repairs) => {
      const options: ParserOptions = { tools, repairs, ...(protocol && { protocols: protocol }) }
      for (const chunks of [[text], chunked(text, parts)]) {
        // With a small limit, nothing is ruled out before it is read.
        const [looked, all] = [LOOKS, READS].map((maxCallLength) =>
          read(chunks, { ...options, maxCallLength: maxCallLength! }, end),
        )
        expect(looked!.events).toEqual(all!.events)
      }
    }),
    runs(400),
  )
})

const content = fc
  .array(
    fc.constantFrom(
      ...['a'.repeat(90), 'b'.repeat(200), '\\n', '\\"', '\\\\', '\\u00e9', '\\ud83d', '\u{1f600}'],
      ...['"', '"', '\n', '\\x', '\\', '", "b": "', '<tool_call>', '</tool_call>', '\ud800', ', '],
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) => parts.join(''))

test('a long string gives the same result in any chunks, valid or not', { timeout: HOURS }, () => {
  fc.assert(
    fc.property(
      fc.constantFrom('a', 'b', '__proto__', 'A'),
      content,
      content,
      fc.constantFrom('"}}\n</tool_call>', '"', '"}', '"}}', ''),
      sizes,
      finish,
      (key, one, other, close, parts, end) => {
        const args = `{"${key}": "${one}", "a": "${other}${close}`
        const text = `<tool_call>\n{"name": "ping", "arguments": ${args}`
        const whole = read([text], { tools, protocols: protocols['hermes']! }, end)
        const split = read(chunked(text, parts), { tools, protocols: protocols['hermes']! }, end)
        expect(folded(split.events)).toEqual(folded(whole.events))
      },
    ),
    runs(400),
  )
})

test('a surrogate pair in a name may arrive in two chunks', () => {
  const text = '<function=\u{1d4b3}>{"a": "b"}</function>'
  const options = { protocols: protocols['llama3']! }
  const names = [[text], text.split('')].map((chunks) =>
    read(chunks, options).reply.calls.map(({ name }) => name),
  )
  expect(names).toEqual([['\u{1d4b3}'], ['\u{1d4b3}']])
})
