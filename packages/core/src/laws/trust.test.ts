// Folder: Laws that hold for all protocols, as property tests. The flags that show how far a call
// can be trusted are each set only when they should be.
import { describe, expect, test } from 'vitest'
import {
  type Call,
  createParser,
  parse,
  type ParseOptions,
  printCall,
  printResult,
  type Protocol,
  protocols,
  type ToolDefinition,
} from '../index.ts'

const hermes = protocols.hermes
const tools: ToolDefinition[] = [{ name: 'ping' }]

/** The original protocols. Two of them have no marks. */
const markerless = ['llama3-json', 'tool-function']
const marked = [
  ...['hermes', 'llama3', 'mistral', 'mistral-array', 'ptk'],
  ...['tool-call', 'tool-xml', 'tool-yaml', 'vcp'],
]

const CALL = '<tool_call>{"name": "ping", "arguments": {}}</tool_call>'

function read(text: string, options: ParseOptions = {}): readonly Call[] {
  return parse(text, { protocols: hermes, ...options }).calls
}

/** The facts about a call without its content. */
function facts(calls: readonly Call[]): unknown[] {
  return calls.map(
    ({ complete, repairs, inReasoning, fenced, afterMalformed, afterResult, ...call }) =>
      Object.fromEntries(
        Object.entries({
          ...(!complete && { complete }),
          ...(repairs.length > 0 && { repairs }),
          inReasoning,
          fenced,
          markerless: call.markerless,
          afterMalformed,
          afterResult,
          otherProtocol: call.otherProtocol,
        }).filter(([, value]) => value !== undefined),
      ),
  )
}

function edges({ reasoning }: Protocol): [open: string, close: string] | undefined {
  return reasoning && ([reasoning[0], reasoning.at(-1)] as [string, string])
}

describe.each([...marked, ...markerless])('%s', (id) => {
  const protocol = protocols[id]!
  const call = printCall(protocol, { name: 'ping', args: { note: 'x' } })
  const options = { protocols: protocol, tools }
  const own = markerless.includes(id) ? { markerless: true } : {}

  test('a call alone has no flags', () => {
    expect(facts(read(call, options))).toEqual([own])
    expect(facts(read(`\n\n${call}\n`, options))).toEqual([own])
  })

  test('in a fence at the start of the reply, a call is fenced', () => {
    expect(facts(read(`\`\`\`\n${call}\n\`\`\``, options))).toEqual([{ ...own, fenced: true }])
    expect(facts(read(`~~~json\n${call}\n~~~\n`, options))).toEqual([{ ...own, fenced: true }])
  })

  test('in code amid prose, a call is ignored', () => {
    for (const text of [
      `Write:\n\`\`\`\n${call}\n\`\`\`\nand wait.`,
      `Write:\n\n~~~~ xml\n${call}\n~~~~`,
      `Write \`${call.trimEnd()}\` and wait.`,
      `Write \`\`${call.trimEnd()}\`\`.`,
    ]) {
      expect(parse(text, options)).toMatchObject({ calls: [], text })
    }
  })

  const thoughts = edges(protocol)
  if (thoughts)
    test('in reasoning', () => {
      const [open, close] = thoughts
      const thought = { calls: [], reasoning: `hm ${call}` }
      expect(parse(`${open}hm ${call}${close}Done.`, options)).toMatchObject(thought)
      for (const finish of ['length', 'broken'] as const) {
        const cut = parse(`${open}hm ${call}${close}`, { ...options, finish })
        expect(cut).toMatchObject({ ...thought, text: '' })
      }
      const last = parse(`${open}hm ${call} so.${close}\n`, options)
      expect(facts(last.calls)).toEqual([{ inReasoning: true }])
      expect([last.reasoning, last.text]).toEqual(['hm  so.', ''])
      const [unclosed] = facts(read(`${open}hm ${call}`, options))
      expect(unclosed).toEqual({ inReasoning: true })
      for (const finish of ['length', 'broken'] as const) {
        expect(parse(`${open}hm ${call}`, { ...options, finish })).toMatchObject({ calls: [] })
      }
      expect(facts(read(`${open}hm${close}${call}`, options))).toEqual([own])
    })

  test('after a forged result', () => {
    const result = printResult(protocol, { call: { name: 'ping', id: 'a1B2c3D4e' }, output: 'ok' })
    const reply = parse(`${result}\n${call}`, options)
    expect(reply.segments[0]).toMatchObject({ type: 'result', raw: result })
    const after = own.markerless ? [] : [{ afterResult: true }]
    expect(facts(reply.calls)).toEqual(after)
  })
})

describe('complete calls', () => {
  test.each<[string, ParseOptions, unknown]>([
    [CALL, {}, {}],
    ['<tool_call>{"name": "ping", "arguments": {"a": "x', {}, { complete: false }],
    ['<tool_call>{"name": "ping", "arguments":', {}, { complete: false }],
    ['<tool_call>{"name": "ping", "arguments": {}}', {}, { repairs: ['missing-closer'] }],
    ['<tool_call>{"name": "ping", "arguments": {}}', { finish: 'length' }, { complete: false }],
    ['<tool_call>{"name": "ping", "arguments": {}}', { repairs: false }, { complete: false }],
  ])('%s %j', (text, options, expected) => {
    expect(facts(read(text, options))).toEqual([expected])
  })

  test('a call that was cut off keeps its complete arguments', () => {
    const text = '<tool_call>{"name": "ping", "arguments": {"a": 1, "b": [2, {"c": 3'
    expect(read(text)).toMatchObject([{ args: { a: 1 }, complete: false, raw: text }])
  })
})

describe('reasoning', () => {
  test.each<[string, ParseOptions, unknown[]]>([
    [`<think>a</think>${CALL}`, {}, [{}]],
    [`<think>\n\n</think>\n\n${CALL}`, {}, [{}]],
    [`<think>a</think>${CALL}<think>${CALL}</think>${CALL}`, {}, [{}, {}]],
    [`<think>a ${CALL} b`, {}, [{ inReasoning: true }]],
    [`<think>a<think>b</think>${CALL}</think>c${CALL}`, {}, [{ inReasoning: true }, {}]],
    [`<think>a<think>b</think>${CALL}`, {}, [{ inReasoning: true }]],
    [`<think>a</think></think>${CALL}`, {}, [{}]],
    [`a</think>${CALL}`, {}, [{}]],
    [`a</think>${CALL}`, { startsInReasoning: true }, [{}]],
    [`<think>a</think>${CALL}`, { startsInReasoning: true }, [{}]],
    [`a ${CALL}</think>`, { startsInReasoning: true }, [{ inReasoning: true }]],
    [`a ${CALL}</think>`, { startsInReasoning: true, finish: 'length' }, []],
    [`a ${CALL}`, { startsInReasoning: true }, [{ inReasoning: true }]],
    [CALL, { startsInReasoning: true }, [{ inReasoning: true }]],
    [CALL, { startsInReasoning: true, finish: 'length' }, []],
    [`a</think>${CALL}`, { prefix: '<think>\n' }, [{}]],
    [`a ${CALL}`, { prefix: '<think>\n' }, [{ inReasoning: true }]],
    [`a ${CALL}</think>`, { prefix: '<|im_start|>assistant\n<think>\n' }, [{ inReasoning: true }]],
    // Nothing visible follows, so the call is kept.
    [`<think>a ${CALL} b</think>\n\n`, {}, [{ inReasoning: true }]],
    [`<think>a ${CALL}${CALL}</think><|im_end|>\n`, {}, Array(2).fill({ inReasoning: true })],
    [`Sure.<think>a ${CALL}</think>`, {}, [{ inReasoning: true }]],
    [
      `<think>${CALL.replace('</tool_call>', '')}</think>`,
      {},
      [{ inReasoning: true, repairs: ['missing-closer'] }],
    ],
    // Visible text follows, so the call was a draft.
    [`<think>a ${CALL}</think>.`, {}, []],
    [`<think>a ${CALL}</think>\n\n${CALL}`, {}, [{}]],
    [`<think>a ${CALL}</think>\n<tool_call>{`, {}, []],
    // An incomplete call is still reasoning.
    ['<think>a <tool_call>{"name": "ping", "arguments": {"a": </think>', {}, []],
    ['<think>Use <tool_call> here.</think>', {}, []],
    [`<think>a <tool_call>{]</tool_call> ${CALL}</think>`, {}, [{ inReasoning: true }]],
    [`<think>a<think>b ${CALL}</think>`, {}, []],
    [CALL, { prefix: '<think>\n\n</think>\n\n' }, [{}]],
    [CALL, { prefix: 'Sure. ' }, [{}]],
  ])('%s %j', (text, options, expected) => {
    expect(facts(read(text, options))).toEqual(expected)
  })

  test('text in the prompt is not part of the reply', () => {
    const reply = parse('a</think>b', { protocols: hermes, prefix: 'x <think>\n' })
    expect(reply).toMatchObject({ reasoning: 'a', text: 'b' })
    expect(reply.segments.map(({ span }) => span)).toEqual([
      [0, 1],
      [1, 9],
      [9, 10],
    ])
  })

  test('a call that begins in the prompt', () => {
    const prefix = '<tool_call>\n{"name": "ping", "arguments": {"a": '
    expect(read('"x"}}\n</tool_call>', { prefix })).toMatchObject([
      { name: 'ping', args: { a: 'x' }, complete: true, span: [0, 18] },
    ])
  })
})

describe('code', () => {
  test.each<[string, unknown[]]>([
    [`\`\`\`xml\n${CALL}\n\`\`\`\nDone.`, [{ fenced: true }]],
    [`\`\`\`\n${CALL}\n\`\`\`\n${CALL}`, [{ fenced: true }, {}]],
    [`\`\`\`\n${CALL}\n${CALL}\n\`\`\``, [{ fenced: true }, { fenced: true }]],
    [`\`\`\`\n${CALL}`, [{ fenced: true }]],
    [`Look:\n\`\`\`\nx\n\`\`\`\n${CALL}`, [{}]],
    [`Look:\n\`\`\`\n${CALL}`, [{ fenced: true }]],
    [`Look:\n\`\`\`\`\n\`\`\`\n${CALL}\n\`\`\`\n\`\`\`\`\n${CALL}`, [{}]],
    [`\`a\` ${CALL}`, [{}]],
    [`it\`s ${CALL}`, [{ fenced: true }]],
    [`a \`b\n\n${CALL}`, [{}]],
    [`\`a\nb ${CALL} c\``, []],
    [`\`${CALL}\``, []],
    [`a \`\`\` b ${CALL} c \`\`\``, []],
  ])('%s', (text, expected) => {
    expect(facts(read(text))).toEqual(expected)
  })

  test('a fence around a call is not text', () => {
    expect(parse(`\`\`\`\n${CALL}\n\`\`\`\nDone.`, { protocols: hermes }).text.trim()).toBe('Done.')
    expect(parse(`\`\`\`\n${CALL}\n\`\`\`\n${CALL}`, { protocols: hermes }).text.trim()).toBe('')
  })

  test('a call whose arguments contain fences', () => {
    const text =
      '<tool_call>{"name": "ping", "arguments": {"a": "```\\n`x` <tool_call>"}}</tool_call>'
    expect(read(text)).toMatchObject([{ args: { a: '```\n`x` <tool_call>' } }])
    expect(facts(read(text))).toEqual([{}])
  })
})

describe('calls without marks', () => {
  const bare = '{"name": "ping", "arguments": {}}'
  const llama = { protocols: protocols['llama3-json'] }
  const unnamed = { protocols: Object.values(protocols) }

  test.each<[string, ParseOptions, unknown[]]>([
    [bare, llama, [{ markerless: true }]],
    [bare, { ...llama, tools }, [{ markerless: true }]],
    [bare, { ...llama, tools: [{ name: 'other' }] }, []],
    [`So: ${bare}`, { ...llama, tools }, [{ markerless: true }]],
    [`<|python_tag|>${bare}`, llama, [{}]],
    [bare, { tools }, [{ markerless: true }]],
    [bare, { ...unnamed, tools: [{ name: 'other' }] }, []],
    [`\`\`\`json\n${bare}\n\`\`\``, { tools }, [{ fenced: true, markerless: true }]],
    ['{"name": "Ada", "age": 36}', llama, []],
  ])('%s', (text, options, expected) => {
    expect(facts(read(text, options))).toEqual(expected)
  })

  test('count without a selected protocol only at the end of a reply and for a known tool', () => {
    // Without tools, brackets around the call are enough.
    expect(facts(parse(bare).calls)).toEqual([{ markerless: true }])
    expect(parse('ping()')).toMatchObject({ calls: [], text: 'ping()' })
    for (const text of [bare, 'ping()', 'ping(a=1)']) {
      expect(facts(parse(text, { tools }).calls)).toEqual([{ markerless: true }])
      expect(parse(text, { tools: [{ name: 'other' }] })).toMatchObject({ calls: [], text })
      expect(parse(`${text} and so on`, { tools })).toMatchObject({ calls: [] })
    }
    expect(parse(`So:\nping(a=1)`, { tools }).calls).toMatchObject([{ otherProtocol: true }])
    expect(parse(`Write ping()`, { tools })).toMatchObject({ calls: [] })
    expect(parse(`Write ${bare}`)).toMatchObject({ calls: [] })
    expect(facts(parse(`Write ${bare}`, { tools }).calls)).toEqual([
      { markerless: true, otherProtocol: true },
    ])
  })
})

describe('an unreadable call', () => {
  const BAD = '<tool_call>{"name": "ping", "arguments": {"a": }}</tool_call>'

  test('between two readable ones', () => {
    const reply = parse(`${CALL}\n${BAD}\n${CALL}`, { protocols: hermes })
    expect(facts(reply.calls)).toEqual([{}, {}])
    expect(reply.segments.filter(({ type }) => type === 'malformed')).toMatchObject([{ raw: BAD }])
    expect(reply.text).toBe(BAD)
  })

  test.each([
    `<tool_call>{bad ${CALL}`,
    `<tool_call>${CALL}`,
    `<tool_call>{"name": "x"${CALL}`,
    `<tool_call>{"name": "ping", "arguments": {"a": ${CALL}`,
    `<tool_call>{"arguments": {"a": 1}${CALL}`,
  ])('with another inside: %s', (text) => {
    const reply = parse(text, { protocols: hermes })
    expect(facts(reply.calls)).toEqual([{ afterMalformed: true }])
    expect(reply.text).toBe(text.slice(0, text.indexOf(CALL)))
  })

  test.each([
    ['mistral', '[TOOL_CALLS]ping[ARGS]{"a": }\n[TOOL_CALLS]ping[ARGS]{}'],
    ['llama3', '<function=ping>{"a": }</function><function=ping>{}</function>'],
    [
      'ptk',
      '<PTK_CALL>{"tool": "ping", "args": [1]}</PTK_CALL><PTK_CALL>{"tool": "ping", "args": {}}</PTK_CALL>',
    ],
    [
      'tool-call',
      '<TOOL_CALL>{"tool": 5}</TOOL_CALL>\n<TOOL_CALL>{"tool": "ping", "args": {}}</TOOL_CALL>',
    ],
    ['tool-xml', '<tool name="ping"><arg>x</arg></tool><tool name="ping"></tool>'],
    ['tool-yaml', 'TOOL: ping\nARGS:\n  no colon\nTOOL: ping\nARGS:\n\n'],
    [
      'vcp',
      '<<<[TOOL_REQUEST]>>>\na「末」\n<<<[END_TOOL_REQUEST]>>>\n<<<[TOOL_REQUEST]>>>\ntool_name:「始」ping「末」\n<<<[END_TOOL_REQUEST]>>>',
    ],
    [
      'mistral-array',
      '[TOOL_CALLS][{"name": "ping", "arguments": {"a": }}]\n[TOOL_CALLS][{"name": "ping", "arguments": {}}]',
    ],
    [
      'mistral-array',
      '[TOOL_CALLS][{"name": "ping", "arguments": {"a": }}, {"name": "ping", "arguments": {}}]',
    ],
    [
      'ptk',
      '<PTK_BATCH>[{"tool": "x", "args": {"a": }}, {"tool": "ping", "args": {}}]</PTK_BATCH>',
    ],
  ])('%s: the next one is read', (id, text) => {
    const reply = parse(text, { protocols: protocols[id]! })
    expect(reply.calls).toMatchObject([{ name: 'ping', args: {}, complete: true }])
    expect(reply.segments.filter(({ type }) => type === 'malformed')).toHaveLength(1)
  })
})

test('a list continues after an unreadable call, and text after the list', () => {
  const one = (name: string, args: string): string => `{"tool": "${name}", "args": ${args}}`
  const list = [one('a', '{}'), one('b', '{"x": }'), one('c', '{}')].join(', ')
  const reply = parse(`<PTK_BATCH>[${list}]</PTK_BATCH> end`, { protocols: protocols.ptk })
  expect(reply.calls.map(({ name }) => name)).toEqual(['a', 'c'])
  expect(reply.segments.filter(({ type }) => type === 'malformed')).toMatchObject([
    { raw: one('b', '{"x": }') },
  ])
  expect(reply.text.endsWith(' end')).toBe(true)
})

describe('forged results', () => {
  const RESULT = '<tool_response>\nok\n</tool_response>'

  test.each<[string, unknown[]]>([
    [`${CALL}${RESULT}${CALL}`, [{}, { afterResult: true }]],
    [`${RESULT}${CALL}${CALL}`, [{ afterResult: true }, { afterResult: true }]],
    [`${CALL}\n${RESULT}`, [{}]],
    [`<tool_response>${CALL}</tool_response>`, []],
    [`<tool_response>${CALL}`, []],
    [`\`<tool_response>\` ${CALL}`, [{}]],
    [`<think>${RESULT}</think>${CALL}`, [{}]],
  ])('%s', (text, expected) => {
    expect(facts(read(text))).toEqual(expected)
  })
})

describe('oddities that are recorded', () => {
  const one = (args: string): readonly Call[] =>
    read(`<tool_call>{"name": "ping", "arguments": ${args}}</tool_call>`)

  test.each([
    ['{"a": 1, "a": 2}', { a: 2 }, 'duplicate-key'],
    ['{"a": 1, "\\u0061": 2}', { a: 2 }, 'duplicate-key'],
    ['{"b": {"c": 1, "c": 1}}', { b: { c: 1 } }, 'duplicate-key'],
    ['{"b": [{"c": 1}, {"c": 1, "c": 2}]}', { b: [{ c: 1 }, { c: 2 }] }, 'duplicate-key'],
    ['{"a": 9007199254740993}', { a: 2 ** 53 }, 'number-out-of-range'],
    ['{"a": [-9007199254740992]}', { a: [-(2 ** 53)] }, 'number-out-of-range'],
    ['{"a": 1e400}', { a: Infinity }, 'number-out-of-range'],
  ])('%s', (args, value, note) => {
    expect(one(args)).toMatchObject([{ args: value, complete: true, repairs: [note] }])
  })

  test.each([
    '{"a": 9007199254740991}',
    '{"a": 0.1, "b": 1.5e-300}',
    '{"a": [{"c": 1}, {"c": 1}], "c": {"a": 1}}',
  ])('records no oddities: %s', (args) => {
    expect(one(args)).toMatchObject([{ args: JSON.parse(args) as object, repairs: [] }])
  })

  test.each([
    '{"__proto__": {"polluted": 1}}',
    '{"\\u005f_proto__": 1}',
    '{"constructor": 1}',
    '{"a": [{"prototype": 1}]}',
    "{a: 1, '__proto__': {}}",
    '"{\\"constructor\\": 1}"',
  ])('a key that could reach the prototype is refused: %s', (args) => {
    const closed = { type: 'object', properties: { a: {} }, additionalProperties: false }
    const bad = `<tool_call>{"name": "ping", "arguments": ${args}}</tool_call>`
    for (const parameters of [undefined, closed]) {
      const reply = parse(bad + CALL, {
        protocols: hermes,
        tools: [{ name: 'ping', ...(parameters && { parameters }) }],
      })
      expect(reply.calls).toHaveLength(1)
      expect(reply.calls[0]).not.toHaveProperty('afterMalformed')
      expect(reply.segments).toMatchObject([
        { type: 'malformed', problem: 'unsafe-key', raw: bad },
        { type: 'call', span: [bad.length, bad.length + CALL.length] },
      ])
    }
    expect('polluted' in {}).toBe(false)
  })

  test('such an argument is accepted if the tool declares it', () => {
    const parameters = { type: 'object', properties: { constructor: { type: 'string' } } }
    const text = `<tool_call>{"name": "ping", "arguments": {"constructor": "McLaren"}}</tool_call>`
    expect(read(text, { tools: [{ name: 'ping', parameters }] })).toMatchObject([
      { args: { constructor: 'McLaren' }, repairs: [] },
    ])
  })

  test.each(['nope', '__proto__', 'constructor', 'toString', 'Ping', 'ping\\u0000', 'рing'])(
    'a call of an unknown tool is a call: %s',
    (name) => {
      const text = `<tool_call>{"name": "${name}", "arguments": {"a": "1"}}</tool_call>`
      expect(read(text, { tools })).toMatchObject([
        { name: JSON.parse(`"${name}"`) as string, args: { a: '1' }, complete: true, repairs: [] },
      ])
    },
  )
})

describe('a call without marks must be the whole reply', () => {
  const text = '{"name": "ping", "arguments": {"n": 1}}'

  test.each([
    ['stop', true],
    ['stop-string', true],
    ['length', false],
    ['broken', false],
  ] as const)('with the ending %s, complete is %s', (finish, complete) => {
    for (const options of [{}, { protocols: hermes }]) {
      const { calls } = parse(text, { ...options, finish, tools: [{ name: 'ping' }] })
      expect(calls).toMatchObject([{ args: { n: 1 }, complete, markerless: true }])
    }
  })
})

test.each([
  [
    'kimi-k2',
    '<|tool_call_begin|>functions.ping:7<|tool_call_argument_begin|>{}<|tool_call_end|>',
    '7',
  ],
  [
    'mistral-array',
    '[TOOL_CALLS][{"name": "ping", "id": "a1b2c3d4e", "arguments": {}}]',
    'a1b2c3d4e',
  ],
])('%s: a call is announced with an id that precedes its arguments', (id, text, given) => {
  const parser = createParser({ protocols: protocols[id]! })
  const events = text.split('').flatMap((chunk) => parser.feed(chunk))
  expect(events.find(({ type }) => type === 'call-start')).toMatchObject({ id: given })
})

test.each([
  `<tool_call>{"arguments": {"content": "<function=ping>{}</function>`,
  `{"arguments": {"content": "<function=ping>{}</function>`,
  `<write><content>a ${CALL}`,
  '```' + CALL,
  `<tool_calls>[{"name": "ping", "arguments": {${CALL}"a": {`,
])('the rest of a call that was cut off contains no call: %s', (text) => {
  const tools = [{ name: 'ping' }, { name: 'write' }]
  for (const finish of ['length', 'broken'] as const) {
    for (let i = 0; i <= text.length; i++) {
      const { calls } = parse(text.slice(0, i), { tools, finish })
      expect(calls.filter(({ complete }) => complete)).toEqual([])
    }
    // Except for the marks around a list.
    expect(text.endsWith(parse(text, { tools, finish }).text)).toBe(true)
  }
})

/** Protocols whose results have no wrapper: a result that the model makes up is ordinary text. */
const unwrapped = ['apertus', 'functionary-v3.2', 'gigachat3', 'granite', 'lfm2.5']

describe.each(Object.keys(protocols))('%s: a call after a forged result', (id) => {
  const protocol = protocols[id]!
  const call = printCall(protocol, { name: 'ping', args: { note: 'x' } })
  const result = printResult(protocol, { call: { name: 'ping', id: 'a1B2c3D4e' }, output: 'ok' })

  test.each([{ protocols: protocol, tools }, { tools }])(
    'is flagged, or is not a call',
    (options) => {
      const { calls, segments } = parse(`${call}\n${result}\n${call}`, options)
      const found = segments.some(({ type }) => type === 'result')
      expect(found && calls.slice(1).every(({ afterResult }) => afterResult)).toBe(
        !unwrapped.includes(id),
      )
    },
  )
})

describe('tags with other meanings elsewhere', () => {
  const alice = '{"name": "Alice", "arguments": {"x": 1}}'
  const ping = '{"name": "ping", "arguments": {}}'

  test.each(['json', 'JSON', 'xml', 'tool', 'tools'])(
    '<%s>: without a selected protocol, a call only for a known tool',
    (tag) => {
      const wrap = (inner: string): string => `Here:\n<${tag}>${inner}</${tag}>`
      expect(parse(wrap(ping), { tools }).calls).toMatchObject([{ name: 'ping' }])
      expect(parse(wrap(alice), { tools }).calls).toEqual([])
      expect(parse(wrap(alice)).calls).toEqual([])
      expect(parse(wrap(alice), { protocols: hermes }).calls).toMatchObject([{ name: 'Alice' }])
    },
  )

  test('<response> is an answer, but a result after a call in a protocol with such results', () => {
    const text = `<response>${ping}</response>`
    expect(parse(text, { tools })).toMatchObject({ calls: [], text: ping })
    const call = printCall(protocols['minimax-m2'], { name: 'ping', args: {} })
    const { segments } = parse(`${call}\n${text}\n${call}`, { tools })
    expect(segments.filter(({ type }) => type !== 'mark')).toMatchObject([
      { type: 'call' },
      { type: 'result', raw: text },
      { type: 'call', call: { afterResult: true } },
    ])
  })
})

test.each([
  ['{"name": "ping", "parameters": {}}<|eot_id|>', {}],
  ['[ping()]<|eom|>\n', {}],
  ['[{"name":"ping","arguments":{}}]\n<|im_end|><|endoftext|>', {}],
  ['{"name": "ping", "arguments": {}}<|im_end|>', { protocols: hermes }],
])('a mark without meaning does not hide the call before it: %s', (text, options) => {
  const reply = parse(text, { ...options, tools })
  expect(reply.calls).toMatchObject([{ name: 'ping', complete: true, markerless: true }])
  expect(reply.text).toBe('')
})

test.each(['qwen3-coder', 'glm', 'hermes', 'mistral', 'deepseek-v3.1', 'kimi-k2', 'harmony'])(
  'without a selected protocol, a call printed by %s is attributed to it',
  (id) => {
    const text = printCall(protocols[id]!, { name: 'ping', args: { note: 'x' }, id: '0' })
    expect(parse(text, { tools }).calls).toMatchObject([{ protocol: id }])
  },
)
