import { describe, expect, test } from 'vitest'
import {
  createParser,
  collectReply,
  explain,
  parse,
  parserTransformer,
  parseStream,
  type ParserOptions,
  printCall,
  printPrompt,
  printResult,
  protocolFor,
  type ProtocolId,
  protocols,
} from './index.ts'
import * as engine from './engine.ts'
import { isLong } from '../../../tests/helpers/size.ts'
import type { Unset } from '../../../tests/helpers/unset.ts'

const hermes = protocols.hermes

/** Passes a value of the wrong type, as untyped callers may. */
const wrong = (value: unknown): never => value as never

describe('invalid options', () => {
  test.each<[options: unknown, message: string]>([
    [5, 'options must be an object.'],
    [null, 'options must be an object.'],
    ['hermes', 'options must be an object, not "hermes".'],
    [{ protocol: hermes }, 'Unknown option "protocol". Options: protocols, tools, '],
    [{ toString: 1 }, 'Unknown option "toString".'],
    [JSON.parse('{"__proto__": 1}'), 'Unknown option "__proto__".'],
    [{ protocols: 5 }, 'options.protocols must be a protocol or a list of protocols'],
    [{ protocols: [5] }, 'options.protocols must be a protocol or a list of protocols'],
    [{ protocols: 'hermez' }, 'Unknown protocol "hermez". Did you mean hermes? '],
    [{ protocols: ['hermez'] }, 'Unknown protocol "hermez". Did you mean hermes? '],
    [{ protocols: [] }, 'options.protocols must be a protocol or a list of protocols'],
    [{ protocols: [hermes, null] }, 'options.protocols must be a protocol or a list of protocols'],
    [{ protocols }, 'options.protocols must be a protocol or a list of protocols'],
    [{ tools: {} }, 'options.tools must be a list of tools, each with a name.'],
    [{ tools: ['ping'] }, 'options.tools must be a list of tools, each with a name.'],
    [{ tools: [{ name: 5 }] }, 'options.tools must be a list of tools, each with a name'],
    [{ tools: [{}] }, 'options.tools must be a list of tools, each with a name'],
    [{ prefix: 5 }, 'options.prefix must be a string.'],
    [{ startsInReasoning: 'yes' }, 'options.startsInReasoning must be a boolean, not "yes".'],
    [{ repairs: 0 }, 'options.repairs must be a boolean.'],
    [{ maxCallLength: 0 }, 'options.maxCallLength must be a positive whole number.'],
    [{ maxCallLength: 1.5 }, 'options.maxCallLength must be a positive whole number'],
    [{ maxCallLength: NaN }, 'options.maxCallLength must be a positive whole number'],
    [{ makeId: 'x' }, 'options.makeId must be a function, not "x".'],
    [
      { finish: 'done' },
      'options.finish must be one of stop, stop-string, length, broken, not "done".',
    ],
  ])('%j', (options, message) => {
    expect.assertions(4)
    for (const call of [() => parse('', wrong(options)), () => createParser(wrong(options))]) {
      try {
        call()
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError)
        expect((error as Error).message).toContain(message)
      }
    }
  })

  test.each([parseStream, explain])('%o checks its options', (call) => {
    expect(() => call('', wrong({ protocols: 5 }))).toThrow(TypeError)
  })

  test('the transformer checks its options', () => {
    expect(() => parserTransformer(wrong({ tools: 5 }))).toThrow(TypeError)
  })

  test('undefined options have their defaults', () => {
    const options = { protocols: undefined, tools: undefined, prefix: undefined, finish: undefined }
    expect(parse('x', wrong(options)).text).toBe('x')
  })

  test.each([undefined, null, 5, {}, ['x']])('a reply must be a string, not %j', (text) => {
    expect(() => parse(wrong(text))).toThrow(/^the reply must be a string/)
    expect(() => explain(wrong(text))).toThrow(TypeError)
    expect(() => createParser().feed(wrong(text))).toThrow(/^the chunk must be a string/)
  })

  test('the engine has no protocols built in', () => {
    expect(() => engine.parse('', wrong({}))).toThrow(TypeError)
    expect(() => engine.createParser(wrong({ protocols: [] }))).toThrow(TypeError)
    expect(() => engine.parse('', wrong({ protocols: 'hermes' }))).toThrow(
      'options.protocols must be a protocol or a list of protocols',
    )
    expect(() => engine.createParser(wrong({ protocols: ['hermes'] }))).toThrow(TypeError)
    expect(engine.parse('x', { protocols: hermes }).text).toBe('x')
  })
})

describe('a parser', () => {
  test('can be used for only one reply', () => {
    const parser = createParser({ protocols: hermes })
    parser.feed('a')
    expect(parser.end()).toMatchObject([{ type: 'end', at: 1, finish: 'stop' }])
    expect(() => parser.feed('b')).toThrow(TypeError)
    expect(parser.end()).toEqual([])
  })

  test('reports the end of an empty reply', () => {
    expect(createParser().end({ finish: 'length' })).toEqual([
      { type: 'end', at: 0, finish: 'length' },
    ])
    expect(parse('')).toEqual({ text: '', reasoning: '', calls: [], segments: [] })
  })

  test('rejects an invalid ending', () => {
    const parser = createParser()
    expect(() => parser.end(wrong({ finish: 'done' }))).toThrow(TypeError)
    expect(() => parser.end(wrong('stop'))).toThrow(TypeError)
  })

  test('accepts empty chunks', () => {
    const parser = createParser({ protocols: hermes })
    expect(parser.feed('')).toEqual([])
    expect(collectReply([...parser.feed('a'), ...parser.feed(''), ...parser.end()]).text).toBe('a')
  })

  test('makes ids with makeId', () => {
    const call = '<tool_call>{"name": "ping", "arguments": {}}</tool_call>'
    const makeId = (index: number): string => `call-${index}`
    const { calls } = parse(call + call, { protocols: hermes, makeId })
    expect(calls.map(({ id }) => id)).toEqual(['call-0', 'call-1'])
    const made = parse(call.repeat(100), { protocols: hermes }).calls.map(({ id }) => id)
    expect(new Set(made).size).toBe(100)
  })

  test('streams', async () => {
    const chunks = ['a <tool_call>{"name": "ping", ', '"arguments": {}}</tool_call>']
    const events = []
    for await (const event of parseStream(chunks, { protocols: hermes })) events.push(event)
    expect(collectReply(events)).toMatchObject({ text: 'a ', calls: [{ name: 'ping' }] })
    const stream = new ReadableStream<string>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk)
        controller.close()
      },
    }).pipeThrough(new TransformStream(parserTransformer({ protocols: hermes })))
    const types = []
    for await (const event of stream) types.push(event.type)
    expect(types).toEqual(['text', 'call-start', 'call-delta', 'call-end', 'end'])
  })
})

describe('any text yields a reply', () => {
  const OPENERS = isLong ? 100_000 : 10_000
  const DEPTH = isLong ? 1_000_000 : 100_000
  const open = '<tool_call>{"name": "ping", "arguments": {"a": '

  const strictly: ParserOptions = { protocols: hermes, repairs: false }
  const mistral: ParserOptions = { protocols: protocols.mistral }
  const vcp: ParserOptions = { protocols: protocols.vcp }
  const python: ParserOptions = {
    protocols: protocols['tool-function'],
    tools: [{ name: 'ping' }],
  }

  const hostile: [name: string, text: string, options?: ParserOptions][] = [
    [
      'lone surrogates',
      '\ud800<tool_call>\udc00{"name": "\ud800", "arguments": {"\udfff": "\ud83d"}}</tool_call>\ud83d',
    ],
    ['NUL', '\0<tool_call>\0{"name": "p\0", "arguments": {"a": "\0"}}</tool_call>\0'],
    [
      'byte order marks',
      '\ufeff<tool_call>\ufeff{"name": "ping", "arguments": {}}\ufeff</tool_call>\ufeff',
    ],
    ['openings', '<tool_call>'.repeat(OPENERS)],
    ['openings, strictly', '<tool_call>{"name": "ping", '.repeat(OPENERS / 10), strictly],
    ['openings of Mistral', '[TOOL_CALLS]ping[ARGS]'.repeat(OPENERS / 10), mistral],
    ['requests of VCP', '<<<[TOOL_REQUEST]>>>k:「始」'.repeat(OPENERS / 10), vcp],
    ['brackets', `${open}${'['.repeat(DEPTH)}`],
    ['brackets that close', `${open}${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}}}</tool_call>`],
    ['objects', `${open}${'{"a":'.repeat(DEPTH / 5)}`, strictly],
    ['Python lists', `ping(a=${'['.repeat(DEPTH)}`, python],
    ['thoughts', '<think>'.repeat(OPENERS)],
    [
      'thoughts from the start',
      '<tool_call>'.repeat(OPENERS),
      { protocols: hermes, startsInReasoning: true },
    ],
    ['results', '<tool_response>'.repeat(OPENERS / 10)],
    ['fences', 'x\n```\n'.repeat(OPENERS / 100)],
    [
      'hostile keys',
      '<tool_call>{"name": "__proto__", "arguments": {"__proto__": {"__proto__": null}}}</tool_call>',
    ],
    [
      'hostile members',
      '<tool_call>{"__proto__": {"name": "x"}, "constructor": 1, "name": "ping"}</tool_call>',
    ],
    ['very many digits', `${open}${'9'.repeat(DEPTH)}}}</tool_call>`],
  ]

  /** A reply split in several ways. */
  function chunkings(text: string): string[][] {
    const pieces = text.match(/[^]{1,4096}/g) ?? []
    return text.length < 1000 ? [[text], text.split('')] : [[text], pieces]
  }

  test.each(hostile)('%s', (_, text, options = { protocols: hermes }) => {
    const replies = chunkings(text).map((chunks) => {
      const parser = createParser({ ...options, makeId: String })
      return collectReply([...chunks.flatMap((chunk) => parser.feed(chunk)), ...parser.end()])
    })
    for (const reply of replies) {
      expect(reply.segments.at(-1)?.span[1]).toBe(text.length)
      expect(reply.calls.length).toBe(replies[0]!.calls.length)
      expect(reply.text).toBe(replies[0]!.text)
    }
  })

  test('a value nested too deeply is malformed', () => {
    const text = `${open}${'['.repeat(1000)}${']'.repeat(1000)}}}</tool_call>`
    expect(parse(text, { protocols: hermes }).segments).toMatchObject([
      { type: 'malformed', problem: 'too-deep' },
    ])
  })
})

describe('first attempts of a new user', () => {
  const plain = { name: 'ping', parameters: { properties: { n: { type: 'integer' } } } }
  const wrapped = { type: 'function', function: plain } as const

  test('tools as chat APIs wrap them', () => {
    const text = '<tool_call>{"name": "ping", "arguments": {"n": "1"}}</tool_call>'
    expect(parse(text, { tools: [wrapped] }).calls).toMatchObject([{ args: { n: 1 } }])
    expect(printPrompt(hermes, [wrapped])).toBe(printPrompt(hermes, [plain]))
    const result = { call: { name: 'ping' }, output: '<ping>' }
    expect(printResult(hermes, result, { tools: [wrapped] })).not.toContain('<ping>')
  })

  test.each<[() => unknown, RegExp]>([
    [() => printPrompt(undefined as never, []), /^protocols must be a protocol or/],
    [() => printPrompt(hermes, undefined as never), /^tools must be a list of tools/],
    [() => printResult(undefined as never, undefined as never), /^protocols must be/],
    [() => engine.parse('x', {} as never), /^protocols must be/],
    [() => engine.parse('x', undefined as never), /^options must be an object/],
    [() => protocolFor(null as never), /^chatTemplate must be a string/],
    [() => parse('x', { tools: ['ping'] as never }), /^options.tools must be a list of tools/],
  ])('what is wrong is reported: %s', (use, message) => {
    expect(use).toThrow(message)
  })
})

test('undefined options are treated as missing', () => {
  const text = '<tool_call>\n{"name": "look", "arguments": {"key": "a"}}\n</tool_call>'
  const ofParser: Unset<ParserOptions> = {
    ...{ protocols: undefined, auto: undefined, tools: undefined, prefix: undefined },
    ...{ startsInReasoning: undefined, repairs: undefined, details: undefined },
    ...{ maxCallLength: undefined, makeId: undefined },
  }
  // Generated ids are random.
  const plain = (value: unknown) =>
    JSON.parse(JSON.stringify(value), (key, each: unknown) => (key === 'id' ? undefined : each))
  expect(plain(parse(text, { ...ofParser, finish: undefined }))).toEqual(plain(parse(text)))
  expect(plain(explain(text, ofParser))).toEqual(plain(explain(text)))
  const call = { name: 'look', args: { key: 'a' } }
  for (const id of Object.keys(protocols) as ProtocolId[])
    expect(printCall(id, { ...call, id: undefined, reasoning: undefined })).toBe(
      printCall(id, call),
    )
})
