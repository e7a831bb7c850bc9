import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { listExamples } from '../fixtures/list-examples.ts'
import { moreExamples } from '../fixtures/more-examples.ts'
import {
  collect,
  createParser,
  type Event,
  type ParserOptions,
  type Protocol,
  protocols,
  type Reply,
  type Tool,
} from './index.ts'

/** Run with `LAWS_SEED=random LAWS_RUNS=100000` to look further. */
const numRuns = Number(process.env['LAWS_RUNS'] ?? 10_000)

const tools: Tool[] = [
  {
    name: 'get_weather',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
    },
  },
  {
    name: 'write_file',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, content: { type: 'string' } },
    },
  },
  ...['read_file', 'ping', 'bash', 'files', 'directory-tree_listFiles'].map((name) => ({ name })),
]

const all = Object.values(protocols)
const examples = all.flatMap((protocol) =>
  Object.entries({
    ...protocol.examples,
    ...moreExamples[protocol.id],
    ...listExamples[protocol.id],
  }).map(([title, example]) => ({ protocol, title, example })),
)

interface Read {
  events: Event[]
  reply: Reply
}

function read(
  chunks: readonly string[],
  options: ParserOptions,
  finish: 'stop' | 'length' = 'stop',
): Read {
  const parser = createParser({ tools, makeId: (index) => `call${index}`, ...options })
  const events = [...chunks.flatMap((chunk) => parser.feed(chunk)), ...parser.end({ finish })]
  return { events, reply: collect(events) }
}

/** Segments are the reply: in order, no gap, no overlap; and each shows what it stands for. */
function expectNothingLost(text: string, { reply }: Read): void {
  let at = 0
  for (const segment of reply.segments) {
    expect(segment.span[0]).toBe(at)
    expect(segment.span[1]).toBeGreaterThanOrEqual(at)
    at = segment.span[1]
    const raw = text.slice(...segment.span)
    if (segment.type === 'malformed' || segment.type === 'result') expect(segment.raw).toBe(raw)
  }
  expect(at).toBe(text.length)
  const visible = reply.segments
    .filter(({ type }) => type === 'text' || type === 'malformed' || type === 'result')
    .map(({ span }) => text.slice(...span))
  expect(reply.text).toBe(visible.join(''))
  const thoughts = reply.segments.filter(({ type }) => type === 'reasoning')
  expect(reply.reasoning).toBe(thoughts.map(({ span }) => text.slice(...span)).join(''))
}

/** What was announced is ended, or taken back, once; and a whole call's deltas are its arguments. */
function expectSoundEvents({ events }: Read): void {
  const open = new Map<number, string>()
  for (const event of events) {
    if (event.type === 'call-start') {
      expect(open.has(event.index)).toBe(false)
      open.set(event.index, '')
    } else if (event.type === 'call-delta') {
      expect(open.has(event.index)).toBe(true)
      open.set(event.index, open.get(event.index)! + event.delta)
    } else if (event.type === 'call-end') {
      const json = open.get(event.index)
      expect(json).toBeDefined()
      if (event.call.complete) expect(JSON.parse(json!)).toEqual(event.call.args)
      open.delete(event.index)
    } else if (event.type === 'malformed' && event.index !== undefined) {
      expect(open.delete(event.index)).toBe(true)
    }
  }
  expect([...open.keys()]).toEqual([])
}

function complete({ reply }: Read): unknown[] {
  return reply.calls.filter((call) => call.complete).map(({ name, args }) => [name, args])
}

describe.each(examples)('$protocol.id: $title', ({ protocol, example }) => {
  const options = { protocols: protocol }
  const whole = read([example.wire], options)

  test('reads what it should', () => {
    expect({
      text: whole.reply.text,
      reasoning: whole.reply.reasoning,
      calls: complete(whole),
      malformed: whole.reply.segments.flatMap((part) =>
        part.type === 'malformed' ? [part.problem] : [],
      ),
      repairs: [...new Set(whole.reply.calls.flatMap(({ repairs }) => repairs))],
    }).toEqual({
      text: example.text ?? '',
      reasoning: example.reasoning ?? '',
      calls: example.calls ?? [],
      malformed: example.malformed ?? [],
      repairs: example.repairs ?? [],
    })
    expectNothingLost(example.wire, whole)
    expectSoundEvents(whole)
  })

  test('the same with all protocols at once', () => {
    const auto = read([example.wire], {})
    expect(complete(auto)).toEqual(complete(whole))
    expect(auto.reply.text).toBe(whole.reply.text)
  })

  test('any chunking gives the same reply', () => {
    expect(read(example.wire.split(''), options).reply).toEqual(whole.reply)
    for (let i = 1; i < example.wire.length; i++) {
      const halves = [example.wire.slice(0, i), example.wire.slice(i)]
      expect(read(halves, options).reply).toEqual(whole.reply)
    }
  })

  test('a cut invents nothing', () => {
    for (let i = 0; i < example.wire.length; i++) {
      const text = example.wire.slice(0, i)
      const cut = read([text], options, 'length')
      const calls = complete(cut)
      expect(calls).toEqual(complete(whole).slice(0, calls.length))
      expectNothingLost(text, cut)
      expectSoundEvents(cut)
    }
  })

  test('text around it is kept to the letter', () => {
    const around = read([`a < b [ { 「 ${example.wire}`, ' c > d'], options)
    expect(around.reply.text.startsWith('a < b [ { 「 ')).toBe(true)
    expect(around.reply.text.endsWith(' c > d')).toBe(true)
  })
})

describe('any text at all', () => {
  const pieces = [
    ...all.flatMap(markup),
    ...['{', '}', '[', ']', '"', '\\', ',', ':', "'", '`', '```', '~~~', '\n', '\n\n', ' ', '  '],
    ...[
      '"name"',
      '"arguments"',
      '"tool"',
      '"args"',
      '"parameters"',
      '{"a":1}',
      '{"a":"x"}',
      'ping',
      'null',
    ],
    ...[
      '<think>',
      '</think>',
      '<',
      '</',
      '<|',
      '\u{1f600}',
      '\ud800',
      '\udc00',
      '\0',
      '\ufeff',
      '「',
      '__proto__',
    ],
  ]
  const soup = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 6 })), {
    maxLength: 24,
  })
  const broken = fc
    .tuple(fc.constantFrom(...examples), fc.nat(), fc.nat(), fc.constantFrom(...pieces, ''))
    .map(([{ example }, from, length, inserted]) => {
      const at = from % (example.wire.length + 1)
      return [example.wire.slice(0, at) + inserted + example.wire.slice(at + (length % 4))]
    })
  const text = fc
    .array(fc.oneof(soup, broken), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.flat().join(''))
  const options = fc.record({
    protocols: fc.option(fc.constantFrom(...all), { nil: undefined }),
    repairs: fc.boolean(),
    startsInReasoning: fc.boolean(),
    tools: fc.constantFrom(tools, undefined),
    prefix: fc.constantFrom('', '<think>\n', '<|im_start|>assistant\n'),
  })
  const cuts = fc.array(fc.nat({ max: 12 }), { maxLength: 40 })

  test('any chunking gives the same, nothing is lost, nothing throws', () => {
    fc.assert(
      fc.property(
        text,
        options,
        cuts,
        fc.constantFrom('stop' as const, 'length' as const),
        (reply, given, sizes, finish) => {
          const chosen = Object.fromEntries(
            Object.entries(given).filter(([, value]) => value !== undefined),
          )
          const whole = read([reply], chosen, finish)
          expectNothingLost(reply, whole)
          expectSoundEvents(whole)
          expect(read(chunked(reply, sizes), chosen, finish).reply).toEqual(whole.reply)
        },
      ),
      { numRuns },
    )
  }, 300_000)
})

/** Text in pieces of these sizes, the rest character by character. */
function chunked(text: string, sizes: readonly number[]): string[] {
  const chunks: string[] = []
  let at = 0
  for (const size of sizes) {
    chunks.push(text.slice(at, at + size))
    at += size
  }
  return [...chunks, ...text.slice(at).split('')]
}

/** The text in a protocol's pictures. */
function markup({
  call,
  section,
  variants = [],
  reasoning = [],
  answer = [],
  ignore = [],
  result,
}: Protocol): string[] {
  return [call, section ?? [], ...variants, reasoning, answer, ignore, result]
    .flat(2)
    .filter((part) => typeof part === 'string')
}
