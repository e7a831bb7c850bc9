// Law 5 with every protocol's marks: the cost of reading a reply is linear in its length, even if
// it repeats any mark.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { count } from '../check/laws.ts'
import { tools } from '../../test/known-tools.ts'
import { markup } from '../../test/markup.ts'
import { HOURS, runs } from '../../../../tests/helpers/size.ts'
import { own } from '../../test/sources.ts'
import { createParser, type ParserOptions, type Protocol, protocols } from '../index.ts'

const all = Object.values(protocols)
const between = [
  ...[
    '',
    'ping',
    'x',
    '{',
    '"',
    '{}',
    '\n',
    ' ',
    '(',
    '[',
    "'",
    '`',
    '\n```\n',
    '<think>',
    '{"a": 1}',
    'a: ',
    'ping(a="',
  ],
  ...['{"name": "ping", ', '{"name": "ping", "arguments": {"a": "'],
]

/**
 * A piece of a protocol: a mark, half a mark, an example or half an example, and text that may
 * follow it.
 */
function pieceOf(protocol: Protocol): fc.Arbitrary<string> {
  const whole = [
    ...markup(protocol),
    ...own.filter((source) => source.protocol === protocol).map(({ text }) => text),
  ]
  const some = fc.constantFrom(...whole)
  const half = fc
    .tuple(some, fc.nat({ max: 60 }))
    .map(([text, length]) => text.slice(0, 1 + (length % text.length)))
  return fc
    .tuple(fc.oneof({ arbitrary: some, weight: 3 }, half), fc.constantFrom(...between))
    .map((parts) => parts.join(''))
}

/** An input that repeats a unit, and the options for reading it. */
interface Repeated {
  readonly protocol: Protocol
  readonly head: string
  readonly unit: string
  /** True to read with this protocol only. */
  readonly named: boolean
  readonly chunk: number
}

const repeated: fc.Arbitrary<Repeated> = fc.constantFrom(...all).chain((protocol) => {
  const piece = pieceOf(protocol)
  return fc.record({
    protocol: fc.constant(protocol),
    head: fc.oneof(fc.constant(''), piece),
    unit: fc.array(piece, { minLength: 1, maxLength: 2 }).map((parts) => parts.join('')),
    named: fc.boolean(),
    chunk: fc.constantFrom(4, 1 << 20),
  })
})

function cost(text: string, options: ParserOptions, chunk: number): number {
  const parser = createParser({ tools, ...options })
  return count(() => {
    // `substring`, because calls of `slice` are counted.
    for (let at = 0; at < text.length; at += chunk) parser.feed(text.substring(at, at + chunk))
    parser.end()
  })
}

/**
 * The sizes compared. Text read without finding a call is limited by a budget: work may grow faster
 * below it, but not beyond.
 */
const SMALL = 1 << 14
const LARGE = 1 << 16

/**
 * If a limit is reached between the two sizes, the larger input costs a little more per character.
 */
const FEW = 40

/** The cost per character of an input of this size. */
function costOfEach({ protocol, head, unit, named, chunk }: Repeated, size: number): number {
  const text = head + unit.repeat(Math.ceil(size / unit.length))
  return cost(text, named ? { protocols: protocol } : {}, chunk) / text.length
}

function expectLinear(text: Repeated): void {
  expect(costOfEach(text, LARGE)).toBeLessThan(Math.max(costOfEach(text, SMALL), FEW) * 1.15)
}

test('four times the text takes four times the work', { timeout: HOURS }, () => {
  fc.assert(
    fc.property(repeated, (text) => {
      // Most cases are clearly linear and cheap to check.
      if (costOfEach(text, 1 << 12) > costOfEach(text, 1 << 10) * 1.1) expectLinear(text)
    }),
    runs(100),
  )
})

test('a repaired string does not cause all later text to be searched', () => {
  const unit = '[{"name": "ping", "parameters": {}}]{"name": "ping", ['
  expectLinear({ protocol: protocols.json, head: '', unit, named: true, chunk: 1 << 20 })
})
