// Law 7: with one wrong character anywhere in a call, the following call is still read.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HOURS, runs, share } from '../../../../tests/helpers/size.ts'
import { collectReply, createParser, parse, printCall, type Protocol, protocols } from '../index.ts'

const ODD = [
  ...['', '"', "'", '\\', '{', '}', '[', ']', '(', ')', ',', ':', '\n', '<', '>', '「', 'x', '/*'],
]
const tools = [{ name: 'ping' }, { name: 'good' }]

/** Without marks, a call after a broken one cannot be found. */
const markless = ['generic-json', 'json', 'llama3-json', 'pythonic', 'tool-function', 'xlam']

/**
 * Marks whose loss makes the next call part of the current one: the end of a string that may
 * contain marks, or the tag that closes a call named after its tool. The README lists these
 * protocols.
 */
const closing: Readonly<Record<string, RegExp>> = {
  functiongemma: /(?<=<escape>[^<]*)<escape>/g,
  gemma4: /(?<=<\|"\|>[^<]*)<\|"\|>/g,
  minicpm5: /\]\]><\/param>/g,
  'morph-xml': /<\/ping>/g,
  'yaml-xml': /<\/ping>/g,
}

const all = Object.values(protocols).filter(({ id, dialect = id }) => !markless.includes(dialect))

/** The places where a wrong character breaks one of those marks. */
function placesThatHide({ id, dialect = id }: Protocol, printed: string): ReadonlySet<number> {
  const marks = [...printed.matchAll(closing[dialect] ?? closing[id] ?? /(?!)/g)]
  return new Set(
    marks.flatMap(({ index, 0: mark }) => Array.from(mark, (_, offset) => index + offset)),
  )
}

function spoil(text: string, at: number, odd: string, removed: number): string {
  return text.slice(0, at) + odd + text.slice(at + removed)
}

/** True if a well-formed call after this text is still found. */
function goodBehind(protocol: Protocol, text: string): boolean {
  const good = printCall(protocol, { name: 'good', args: { k: 'v' } })
  const { calls } = parse(`${text}\n${good}`, { protocols: protocol, tools })
  return calls.some(({ name, complete, args }) => name === 'good' && complete && args['k'] === 'v')
}

const bad = { name: 'ping', args: { a: 'x "y"\n z', b: 'w' } }

describe.each(share(all, 4))('$id', (protocol) => {
  const printed = printCall(protocol, bad)
  const hiding = placesThatHide(protocol, printed)
  const places = Array.from(printed.slice(1), (_, at) => at + 1).filter((at) => !hiding.has(at))

  test('the call after one with a wrong character is read', { timeout: HOURS }, () => {
    const fault = fc.tuple(fc.constantFrom(...places), fc.constantFrom(...ODD), fc.nat({ max: 1 }))
    fc.assert(
      fc.property(fault, ([place, odd, removed]) => {
        const text = spoil(printed, place, odd, removed)
        fc.pre(!isCode(protocol, text))
        expect(goodBehind(protocol, text)).toBe(true)
      }),
      runs(300),
    )
  })
})

/**
 * True for protocols whose calls begin with a fence. If the word before the fence is broken, the
 * fence is an ordinary code block, and the next call's fence does not close it.
 */
function isCode(protocol: Protocol, text: string): boolean {
  const [opening] = protocol.section ?? protocol.call
  return typeof opening === 'string' && opening.includes('```') && !text.startsWith('Action:\n')
}

const seeds = ['hermes', 'llama3', 'mistral', 'ptk', 'tool-call', 'tool-xml', 'tool-yaml', 'vcp']

test.each(share(seeds, 3))('%s, exhaustively', (id) => {
  const protocol = protocols[id]!
  const printed = printCall(protocol, bad)
  const lost: string[] = []
  for (let place = 1; place < printed.length; place++) {
    for (const odd of ODD) {
      for (const removed of [0, 1]) {
        const text = spoil(printed, place, odd, removed)
        if (!goodBehind(protocol, text)) lost.push(text)
      }
    }
  }
  expect(lost).toEqual([])
})

describe('triple quotes', () => {
  const { lfm2 } = protocols
  const good = printCall(lfm2, { name: 'good', args: { k: 'v' } })
  const unclosed = `<|tool_call_start|>[ping(b=''')]<|tool_call_end|>\n${good}`

  test('that never close do not hide the next call, which is marked', () => {
    const { calls } = parse(unclosed, { protocols: lfm2, tools })
    expect(calls).toMatchObject([{ name: 'good', args: { k: 'v' }, afterMalformed: true }])
  })

  test.each(['length', 'broken'] as const)('that might have closed hide it: %s', (finish) => {
    const parser = createParser({ protocols: lfm2, tools })
    const { calls } = collectReply([...parser.feed(unclosed), ...parser.end({ finish })])
    expect(calls).toMatchObject([{ name: 'ping', complete: false }])
  })

  test('that close may contain a mark', () => {
    const text = `<|tool_call_start|>[ping(b='''${good}''')]<|tool_call_end|>`
    const { calls } = parse(text, { protocols: lfm2, tools })
    expect(calls).toMatchObject([{ name: 'ping', args: { b: good }, complete: true }])
  })
})
