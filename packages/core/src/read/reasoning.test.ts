// Whitespace between reasoning and the first visible text of a reply is markup.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chunked, sizes } from '../../test/chunks.ts'
import { finish } from '../../test/finish.ts'
import { spoiled } from '../../test/mutations.ts'
import { expectNothingLost } from '../../test/nothing-lost.ts'
import { HOURS, runs, share } from '../../../../tests/helpers/size.ts'
import { kinds, waysOf } from '../../test/sources.ts'
import { read, type Reading } from '../check/reading.ts'
import { parse, type ParserOptions, printCall, type Protocol, protocols } from '../index.ts'
import { wiresOf } from './grammar.ts'

const space = fc.oneof(
  fc.constantFrom('', '\n', '\n\n', ' ', '\r\n', ' \n\t\n '),
  fc.constant('\n'.repeat(4100)),
)

/** The opening and closing marks in the first picture of reasoning. */
function edgesOf({ reasoning }: Protocol): [open: string, close: string] {
  const [picture = ['<think>\n', '\n</think>']] = wiresOf(reasoning)
  return [picture[0] as string, picture.at(-1) as string]
}

/** Reads a reply whole and in pieces. The results must be equal, and no text may be lost. */
function both(text: string, pieces: readonly number[], options: ParserOptions): Reading {
  const whole = read([text], options)
  expect(read(chunked(text, pieces), options).reply).toEqual(whole.reply)
  expectNothingLost(text, whole)
  return whole
}

describe.each(share(Object.values(protocols), 4))('$id', (protocol) => {
  const [open, close] = edgesOf(protocol)
  const call = printCall(protocol, { name: 'ping', args: {} })
  const tools = [{ name: 'ping' }]
  const own = { protocols: protocol, tools }
  /** The options, and the text that precedes. */
  const ways: readonly [about: string, ParserOptions, before: string][] = [
    ['reasoning', own, `${open}Hm.${close}`],
    ['empty reasoning', own, open + close],
    ['reasoning after whitespace', own, `\n${open}Hm.${close}`],
    ['reasoning that the prompt opened', { ...own, startsInReasoning: true }, `Hm.${close}`],
    ['reasoning that the prefix opened', { ...own, prefix: open }, `Hm.${close}`],
    ['reasoning in the prefix', { ...own, prefix: `${open}Hm.${close}` }, ''],
    ['two thoughts', own, `${open}Hm.${close}\n${open}So.${close}`],
    ['reasoning, whatever the protocol', {}, `${open}Hm.${close}`],
    ['common reasoning', own, '<think>Hm.</think>'],
  ]
  test.each(ways)('after %s, text begins without whitespace', (_, options, before) => {
    fc.assert(
      fc.property(space, sizes, (between, pieces) => {
        const { reply } = both(`${before}${between}Looking.\n`, pieces, options)
        expect(reply.text).toBe('Looking.\n')
      }),
      runs(4),
    )
  })

  test('a call may be between', () => {
    fc.assert(
      fc.property(space, space, sizes, (one, other, pieces) => {
        const text = `${open}Hm.${close}${one}${call}${other}`
        const { reply } = both(text, pieces, own)
        expect(reply.calls).toMatchObject([{ name: 'ping' }])
        expect(reply.text).toBe('')
      }),
      runs(5),
    )
  })

  test('after visible text, whitespace is text', () => {
    fc.assert(
      fc.property(sizes, (pieces) => {
        const text = `Sure.${open}Hm.${close}\n\nLooking.`
        const { reply } = both(text, pieces, own)
        expect(reply.text.startsWith('Sure.')).toBe(true)
        expect(reply.text.endsWith('\n\nLooking.')).toBe(true)
      }),
      runs(5),
    )
  })
})

test('text after an answer mark, a call or a stray closing mark begins without whitespace', () => {
  const { cohere, hermes } = protocols
  const texts: readonly [Protocol, string][] = [
    [cohere, '<|START_THINKING|>Hm.<|START_RESPONSE|>\n\nHello.<|END_RESPONSE|>'],
    [
      hermes,
      '<think>\nHm.\n</think>\n\n<tool_call>\n{"name": "ping", "arguments": {}}\n</tool_call>\n\nHello.',
    ],
    [hermes, '</think>\n\nHello.'],
  ]
  for (const [protocol, text] of texts) {
    expect(both(text, [], { protocols: protocol }).reply.text).toBe('Hello.')
  }
})

test('whitespace without reasoning is text', () => {
  const { hermes } = protocols
  for (const text of ['\n\nHello.', ' \n', '  - a\n  - b']) {
    expect(both(text, [], { protocols: hermes }).reply.text).toBe(text)
  }
})

describe.each(kinds)('$kind', ({ list }) => {
  test('the law holds for damaged replies', { timeout: HOURS }, () => {
    fc.assert(
      fc.property(spoiled(list), finish, ({ source, text }, end) => {
        for (const way of waysOf(source)) {
          const { segments } = read([text], way, end).reply
          const thought = segments.findIndex(({ type }) => type === 'reasoning')
          const visible = segments.findIndex(({ type }) => SHOWN.has(type))
          const first = segments[visible]
          if (thought < 0 || thought > visible || first?.type !== 'text') continue
          expect(text.slice(...first.span)).toMatch(/^\S/)
        }
      }),
      runs(200),
    )
  })
})

const SHOWN: ReadonlySet<string> = new Set(['text', 'malformed', 'result'])

test.each(['', ' ', '\n'])(
  'a call that must begin a line may follow reasoning and %j',
  (between) => {
    const text = `<think>Hm.</think>${between}TOOL: ping\nARGS:\n  a: x\n`
    const { calls } = parse(text, { protocols: protocols['tool-yaml'] })
    expect(calls).toMatchObject([{ name: 'ping', args: { a: 'x' }, complete: true }])
  },
)
