import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  parse,
  type PrintableCall,
  printCall,
  printCalls,
  type Protocol,
  protocols,
  type Tool,
} from '../index.ts'

/** Run with `LAWS_SEED=123 LAWS_RUNS=100000` to repeat or to look further. */
const seed = process.env['LAWS_SEED'] ? { seed: Number(process.env['LAWS_SEED']) } : {}
const numRuns = Number(process.env['LAWS_RUNS'] ?? 100)

const all = Object.values(protocols)

const tools: Tool[] = [
  {
    name: 'write_file',
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string' },
        content: { type: 'string' },
        mode: { type: 'integer' },
        ratio: { type: 'number' },
        force: { type: 'boolean' },
        tags: { type: 'array' },
        meta: { type: 'object' },
      },
    },
  },
  { name: 'ping', parameters: { type: 'object' } },
]

/** All text in a protocol's pictures, whole and in words. */
function markup(protocol: Protocol): string[] {
  const { call, section, variants, reasoning, answer, result, results, error, ignore } = protocol
  const drawn = [call, section, variants, reasoning, answer, result, results, error, ignore]
    .flat(3)
    .filter((part) => typeof part === 'string')
  return [...drawn, ...drawn.flatMap((part) => part.split(/\s+/))]
}

const marks = [...new Set(all.flatMap(markup))]
const odd = [
  ...['"', "'", '\\', '\n', '\r\n', '\t', ' ', '`', '```', '<', '>', '[', ']', '{', '}', '|'],
  ...['#', ' #', ': ', '- ', '&lt;', '$&', '\0', '\ud800', '\u2060'],
]
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...marks, ...odd), { maxLength: 6 }).map((parts) => parts.join('')),
  fc.constantFrom('null', 'true', '1', '1.0', '[]', '{}', '', ' x ', '\nx\n'),
)
const number = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .filter((value) => !Object.is(value, -0))

function callsOf(protocol: Protocol): fc.Arbitrary<PrintableCall[]> {
  const content = unescaped.has(protocol.id) ? without(protocol) : text
  const nested = elements.has(protocol.id) ? {} : nestedOf(content)
  const args = fc.record(
    {
      path: content,
      content,
      mode: fc.maxSafeInteger(),
      ratio: number,
      force: fc.boolean(),
      ...nested,
    },
    { requiredKeys: [], noNullPrototype: true },
  )
  const call = fc.oneof(
    args.map((given) => ({ name: 'write_file', args: given })),
    fc.constant({ name: 'ping', args: {} }),
  )
  return fc.array(call, { minLength: 1, maxLength: 3 })
}

/** Values that hold others. */
function nestedOf(content: fc.Arbitrary<string>): Record<string, fc.Arbitrary<unknown>> {
  const item = fc.oneof(content, fc.integer(), fc.constant(null), fc.array(fc.boolean()))
  const member = fc.oneof(content, number)
  return {
    tags: fc.array(item),
    meta: fc.dictionary(fc.constantFrom('a', 'b'), member, { noNullPrototype: true }),
  }
}

/** In these a value ends at its closing mark, and nothing escapes one inside it: values are drawn without marks. */
const unescaped = new Set([
  ...[
    'deepseek-dsml',
    'deepseek-v3.2',
    'dots',
    'functiongemma',
    'gemma4',
    'glimmer',
    'glm',
    'glm-4.7',
    'hunyuan-v3',
  ],
  ...[
    'k-exaone',
    'kimi-k3',
    'laguna',
    'laguna-s',
    'minicpm5',
    'minimax-m2',
    'minimax-m3',
    'morph-xml',
  ],
  ...['nemotron-3', 'qwen3-coder', 'qwen3.5', 'seed-oss', 'step-3.5', 'step3', 'yaml-xml'],
])

/** In these a list is elements: an empty one is not told from an empty text. */
const elements = new Set(['minimax-m3', 'morph-xml'])

/** What not even their special pictures carry. */
const beyond: Readonly<Record<string, (text: string) => boolean>> = {
  'tool-xml': (value) => value.includes(']]></arg>'),
  vcp: (value) => ['「末」', '「末ESCAPE」', '「末exp」'].every((mark) => value.includes(mark)),
}

function isBeyond({ id }: Protocol, args: Readonly<Record<string, unknown>>): boolean {
  const texts = Object.values(args).map((value) =>
    typeof value === 'string' ? value : JSON.stringify(value),
  )
  return texts.some((value) => beyond[id]?.(value) ?? false)
}

/** Text that holds nothing of a protocol's own pictures. */
function without(protocol: Protocol): fc.Arbitrary<string> {
  const own = markup(protocol).map((mark) => mark.trim())
  return text.filter((value) => !own.some((mark) => mark !== '' && value.includes(mark)))
}

describe.each(all)('$id', (protocol) => {
  test('what is printed is read back', () => {
    const calls = callsOf(protocol)
    fc.assert(
      fc.property(calls, (given) => {
        fc.pre(!given.some(({ args }) => isBeyond(protocol, args)))
        const reply = parse(printCalls(protocol, given), { protocols: protocol, tools })
        expect(reply.calls).toMatchObject(given.map(({ name }) => ({ name, complete: true })))
        const repairs = reply.calls.flatMap((read) => read.repairs)
        expect(repairs.filter((repair) => repair !== 'number-out-of-range')).toEqual([])
        expect(reply.calls.map(({ args }) => args)).toEqual(given.map(({ args }) => args))
        expect(reply.text.trim()).toBe('')
      }),
      { numRuns, ...seed },
    )
  })

  test('an id is read back where the picture has a place for it', () => {
    const id = 'a1B2c3D4e'
    const printed = printCall(protocol, { name: 'ping', args: {}, id })
    const [read] = parse(printed, { protocols: protocol, tools }).calls
    expect(read?.name).toBe('ping')
    if (printed.includes(id)) expect(read?.id).toBe(id)
  })

  test('so is a reason', () => {
    const reasoning = 'to "see", </then> some'
    const printed = printCall(protocol, { name: 'ping', args: {}, reasoning })
    const [read] = parse(printed, { protocols: protocol, tools }).calls
    expect(read?.name).toBe('ping')
    if (printed.includes('</then>')) expect(read?.reasoning).toBe(reasoning)
  })

  test('an example is what printing writes, unless it says otherwise', () => {
    for (const { wire, variant, calls } of Object.values(protocol.examples)) {
      if (variant || !calls) continue
      const read = parse(wire, { protocols: protocol, makeId: () => 'made' }).calls
      const given = calls.map(([name, args], i): PrintableCall => {
        const id = read[i]?.id
        return { name, args, ...(id !== undefined && id !== 'made' && { id }) }
      })
      expect(wire).toContain(printCalls(protocol, given).trimEnd())
    }
  })
})

/** These carry any JSON, so that no schema is needed to tell a number from a text. */
const json = [
  'hermes',
  'llama3',
  'llama3-json',
  'mistral',
  'mistral-array',
  'ptk',
  'tool-call',
  'tool-function',
  'tool-yaml',
]

describe.each(json)('%s, without a schema', (id) => {
  const protocol = protocols[id]!
  const python = id === 'tool-function'
  const key = python
    ? fc.stringMatching(/^[a-z_][a-z0-9_]{0,8}$/)
    : text.filter((name) => name !== '')
  const args = fc.dictionary(key, fc.oneof(text, number, fc.jsonValue({ maxDepth: 4 })), {
    noNullPrototype: true,
  })

  test('what is printed is read back', () => {
    fc.assert(
      fc.property(args, (given) => {
        const { calls: read } = parse(printCall(protocol, { name: 'ping', args: given }), {
          protocols: protocol,
          tools: [{ name: 'ping' }],
        })
        expect(read).toMatchObject([{ name: 'ping', complete: true }])
        expect(JSON.stringify(read[0]?.args)).toBe(JSON.stringify(given))
      }),
      { numRuns: numRuns * 3, ...seed },
    )
  })
})

/** These carry text only: without a schema, text is what comes back. */
describe.each(['tool-xml', 'vcp'])('%s, without a schema', (id) => {
  const protocol = protocols[id]!
  const key = fc.stringMatching(/^[a-z][a-z_-]{0,8}$/)
  const args = fc.dictionary(key, text, { noNullPrototype: true })

  test('text is read back', () => {
    fc.assert(
      fc.property(args, (given) => {
        fc.pre(!isBeyond(protocol, given))
        const { calls: read } = parse(printCall(protocol, { name: 'ping', args: given }), {
          protocols: protocol,
        })
        expect(read).toMatchObject([{ name: 'ping', args: given, complete: true, repairs: [] }])
      }),
      { numRuns: numRuns * 3, ...seed },
    )
  })

  test('a value that is no text comes back as its JSON', () => {
    const args = { n: 1, b: true, l: [1, 'x'], z: null }
    expect(
      parse(printCall(protocol, { name: 'ping', args }), { protocols: protocol }).calls,
    ).toMatchObject([{ args: { n: '1', b: 'true', l: '[1, "x"]', z: 'null' } }])
  })
})
