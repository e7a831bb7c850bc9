import { describe, expect, test } from 'vitest'
import {
  collectReply,
  createParser,
  type Finish,
  parse,
  type ParseOptions,
  protocols,
  type Reply,
  type ToolDefinition,
} from '../index.ts'

const hermes = protocols.hermes

/** A reply with these arguments. */
function reply(args: string): string {
  return `<tool_call>\n{"name": "write", "arguments": ${args}}\n</tool_call>`
}

function read(text: string, options: ParseOptions = {}): Reply {
  return parse(text, { protocols: hermes, ...options })
}

function problems({ segments }: Reply): string[] {
  return segments.flatMap((segment) => (segment.type === 'malformed' ? [segment.problem] : []))
}

type Row = readonly [args: string, meant: Record<string, unknown>]

/** Invalid JSON and the repaired values, by repair. */
const repaired: Readonly<Record<string, readonly Row[]>> = {
  'trailing-comma': [
    ['{"a": 1,}', { a: 1 }],
    ['{"a": [1, "x" , ] ,\n}', { a: [1, 'x'] }],
    ['{"a": "x,",}', { a: 'x,' }],
  ],
  'raw-control': [
    ['{"a": "x\ny\tz\r\n"}', { a: 'x\ny\tz\r\n' }],
    ['{"a": "\u0001"}', { a: '\u0001' }],
    ['{"a\tb": 1}', { 'a\tb': 1 }],
  ],
  'single-quotes': [
    ["{'a': 'it is', 'b': ['x', '']}", { a: 'it is', b: ['x', ''] }],
    ["{'a': 'it's'}", { a: "it's" }],
    [`{'a': 'it\\'s "ok"\\n'}`, { a: 'it\'s "ok"\n' }],
    [`{"a": 'x", "b": "y'}`, { a: 'x", "b": "y' }],
    ["{'a': 'b: c', 'd': 'e, f'}", { a: 'b: c', d: 'e, f' }],
  ],
  'python-word': [
    ['{"a": True, "b": [None], "c": {"d": False}}', { a: true, b: [null], c: { d: false } }],
    ['{"a": ["x", True, None]}', { a: ['x', true, null] }],
  ],
  'unquoted-key': [
    ['{a: 1, $b-c : {é: 2}}', { a: 1, '$b-c': { é: 2 } }],
    ['{"a": "x", b: "y"}', { a: 'x', b: 'y' }],
  ],
  'unquoted-string': [
    ['{"a": src/index.ts, "b": [x.y]}', { a: 'src/index.ts', b: ['x.y'] }],
    ['{"a": .env, "b": [1, x]}', { a: '.env', b: [1, 'x'] }],
    ['{"a": naïve}', { a: 'naïve' }],
  ],
  'missing-comma': [
    ['{"a": 1\n"b": 2}', { a: 1, b: 2 }],
    ['{"a": 1 "b": [2 "c"]}', { a: 1, b: [2, 'c'] }],
    ['{"a": "x" "b-1" : "y"}', { a: 'x', 'b-1': 'y' }],
    ['{"a": "x"\n  "b": {"c": 1}\n  "d": ["e"\n"f"]}', { a: 'x', b: { c: 1 }, d: ['e', 'f'] }],
  ],
  comment: [
    ['{"a": 1 // one\n, /* "b" */ "c": /* 2 */ 3}', { a: 1, c: 3 }],
    ['{"a": "x" // y"\n}', { a: 'x' }],
    ['{// {\n"a": [/* [ */]}', { a: [] }],
  ],
  'bad-escape': [
    ['{"a": "\\$5 \\d C:\\users"}', { a: '\\$5 \\d C:\\users' }],
    ['{"a": "it\\\'s"}', { a: "it's" }],
    ['{"a": "\\u12", "b": "\\x41"}', { a: '\\u12', b: '\\x41' }],
    ['{"a": "x\\\ny"}', { a: 'x\ny' }],
  ],
  'unescaped-quote': [
    ['{"a": "He said "hi" there"}', { a: 'He said "hi" there' }],
    ['{"a": "say "hi", ok", "b": "c"}', { a: 'say "hi", ok', b: 'c' }],
    ['{"a": "print("x", "y")"}', { a: 'print("x", "y")' }],
    ['{"a": "{"b": 1}", "b": "c"}', { a: '{"b": 1}', b: 'c' }],
    ['{"a": ""x"", "b": "\\"y""}', { a: '"x"', b: '"y"' }],
  ],
  'null-arguments': [['null', {}]],
}

const rows = Object.entries(repaired).flatMap(([repair, list]) =>
  list.map(([args, meant]) => ({ repair, args, meant })),
)

describe.each(rows)('$repair: $args', ({ repair, args, meant }) => {
  const text = reply(args)

  test('is read with a named repair', () => {
    expect(read(text).calls).toMatchObject([
      { name: 'write', args: meant, complete: true, repairs: [repair], raw: text },
    ])
  })

  test('is malformed without repairs', () => {
    const strict = read(text, { repairs: false })
    expect(strict.calls).toEqual([])
    expect(problems(strict)).toHaveLength(1)
    expect(strict.text).toBe(text)
  })

  test('has deltas that equal its arguments, in any chunks', () => {
    for (let size = 1; size < text.length; size = size * 2 + 1) {
      const parser = createParser({ protocols: hermes })
      const chunks = text.match(new RegExp(`[^]{1,${size}}`, 'g'))!
      const events = [...chunks.flatMap((chunk) => parser.feed(chunk)), ...parser.end()]
      const deltas = events.map((event) => (event.type === 'call-delta' ? event.delta : ''))
      expect(JSON.parse(deltas.join(''))).toEqual(meant)
      expect(collectReply(events).calls).toMatchObject([{ args: meant, repairs: [repair] }])
    }
  })

  test.each<Finish>(['stop', 'stop-string', 'length', 'broken'])(
    'is not complete if it is cut (%s)',
    (finish) => {
      const closed = text.lastIndexOf('}') + 1
      for (let i = 0; i < closed; i++) {
        for (const call of read(text.slice(0, i), { finish }).calls)
          expect(call.complete).toBe(false)
      }
      const stopped = finish === 'stop' || finish === 'stop-string'
      for (let i = closed; i < text.length; i++) {
        const { calls } = read(text.slice(0, i), { finish })
        expect(calls).toMatchObject([{ complete: stopped, args: meant }])
        expect(calls[0]!.repairs.includes('missing-closer')).toBe(stopped)
      }
    },
  )
})

/** Strings that must not change. */
const untouched = [
  'https://example.com/a//b?c=d#e',
  '// not a comment',
  '/* neither */',
  "it's, isn't it? 'yes'",
  '$& $1 $` $$',
  'True, None, {a: 1,} [1,] NaN',
  '"quoted": "well"',
  'C:\\temp\\new',
  '</tool_call><tool_call>{"name": "other"}',
  '\u2028\u2029\ufeff\u200b',
]

describe.each(untouched)('%j is unchanged inside a string', (content) => {
  const written = JSON.stringify(content)

  test('in valid JSON', () => {
    expect(read(reply(`{"a": ${written}}`)).calls).toMatchObject([
      { args: { a: content }, repairs: [] },
    ])
  })

  test('in JSON with another error', () => {
    const text = reply(`{a: ${written}, "b": [${written},], 'c': "x"\n"d": ${written} // e\n}`)
    expect(read(text).calls).toMatchObject([
      { args: { a: content, b: [content], c: 'x', d: content }, complete: true },
    ])
  })
})

test.each([
  ...['01', '-01', '1.', '+1', '0x10', '1_000', '4.2.3', '1e', '--1', '1;', '(1)', '`x`', '“x”'],
  ...[
    'NaN',
    'Infinity',
    '-Infinity',
    'undefined',
    'a b',
    'a"b',
    '@'.repeat(3) + '"',
    '',
    ',',
    ':1',
  ],
])('repairs never turn %j into a value', (value) => {
  for (const args of [
    `{"a": ${value}}`,
    `{"a": true, "b": ${value}, "c": 1}`,
    `{"a": [0, ${value}, 1]}`,
  ]) {
    const given = read(reply(args))
    expect(given.calls).toEqual([])
    expect(problems(given)).toEqual(['syntax'])
    expect(given.text).toBe(reply(args))
  }
})

test.each(['{"a" 1}', '{,}', '{"a": 1,, "b": 2}', '{"a": [1}', '{1}', '{"a"}', '{"a": {]}'])(
  'repairs never turn %j into arguments',
  (args) => {
    expect(problems(read(reply(args)))).toEqual(['syntax'])
  },
)

test.each(['[1]', '[]', '5', 'true', '"text"', '""', '"[1]"', '"{\\"a\\": 1"'])(
  'arguments must be an object, not %j',
  (args) => {
    for (const repairs of [true, false]) {
      const given = read(reply(args), { repairs })
      expect(given.calls).toEqual([])
      expect(problems(given)).toEqual(['shape'])
    }
  },
)

test.each([
  '{"a": "x", b}',
  '{"a": "x" b}',
  '{"a": "x}',
  "{'a': 'x}",
  '{"a": "x" /* y}',
  '{"a": ["x"}',
  '{"a": "x",, "b": 1}',
  '{"a": "b\\"}',
  '{"a": 1, b}',
])('irreparable arguments do not affect another call: %s', (args) => {
  const bad = reply(args)
  const good = '<tool_call>\n{"name": "good", "arguments": {}}\n</tool_call>'
  const { calls, segments } = read(`${bad}\n${good} `)
  expect(calls).toMatchObject([{ name: 'good', args: {}, complete: true, raw: good }])
  expect(segments[0]).toMatchObject({ type: 'malformed', problem: 'syntax', raw: bad })
})

test.each(['{"a": 1 // one', `{"a": 1 /* ${'one '.repeat(100)}`, '{"a": 1 // </tool_call>\n{'])(
  'a comment that does not close before another call is not a comment: %j',
  (args) => {
    const good = '<tool_call>\n{"name": "good", "arguments": {}}\n</tool_call>'
    const { calls } = read(`<tool_call>{"name": "write", "arguments": ${args}</tool_call>\n${good}`)
    expect(calls).toMatchObject([{ name: 'good', raw: good }])
  },
)

test.each([
  '{"a": 1, // until </tool_call>\n}',
  '{"a": 1, /* not <tool_call> or </tool_call> */}',
  '{"a": [1 // " </tool_call>\n]}',
])('a comment may mention marks if the object closes right after it: %j', (args) => {
  const given = read(reply(args))
  expect(problems(given)).toEqual([])
  expect(given.calls).toMatchObject([{ complete: true }])
  expect(given.calls[0]!.repairs).toContain('comment')
})

test.each([
  '{"a": 1 // </tool_call>\n, "b": 2}',
  '{"a": 1 // </tool_call>\nDone }',
  '{"a": 1 /* </tool_call>\n*/}',
  '{"a": 1 /* </tool_call><tool_call>{"name": "other", "arguments": {"b": "*/}"}}',
])('the mark in a comment may have ended the call: %j', (args) => {
  const { calls } = read(reply(args))
  expect(calls.filter(({ name }) => name === 'write')).toEqual([])
})

test('null means no arguments only if none is required', () => {
  const write = (required: string[]): ToolDefinition => ({
    name: 'write',
    parameters: { type: 'object', properties: { a: {} }, required },
  })
  expect(read(reply('null'), { tools: [write([])] }).calls).toMatchObject([{ args: {} }])
  expect(problems(read(reply('null'), { tools: [write(['a'])] }))).toEqual(['shape'])
})

test('two repairs with equal costs are ambiguous', () => {
  // Either a list with an unquoted word, or one with a string that contains `", y, "`.
  expect(problems(read(reply('{"a": ["x", y, "z"]}')))).toHaveLength(1)
})

test('JSON that needs more than eight kinds of repair is rejected', () => {
  const eight = `{a: 'x', b: True, c: [1,], d: "q\nr", e: y, /* z */ "f": "\\q"`
  const { calls } = read(reply(`${eight}}`))
  expect(calls[0]?.repairs).toHaveLength(8)
  expect(problems(read(reply(`${eight}\n"g": 1}`)))).toEqual(['syntax'])
})

describe('a quote inside a string is recognized by the keys in the schema', () => {
  const tools: ToolDefinition[] = [
    { name: 'write', parameters: { type: 'object', properties: { a: {}, b: {}, n: {} } } },
  ]

  test.each<Row>([
    ['{"a": "say "hi", "zzz": 1 ok", "b": "c"}', { a: 'say "hi", "zzz": 1 ok', b: 'c' }],
    ['{"a": "say "hi", "zzz": "1", "b": "c"}', { a: 'say "hi", "zzz": "1', b: 'c' }],
    ['{"a": "{"zzz": 1, "b": 2}", "b": "c"}', { a: '{"zzz": 1, "b": 2}', b: 'c' }],
    [
      '{"a": "const x = {"k": "v", "w": "z"}", "n": 1}',
      { a: 'const x = {"k": "v", "w": "z"}', n: 1 },
    ],
    ['{"a": "say "hi", "b": "c"}', { a: 'say "hi', b: 'c' }],
  ])('%s', (args, meant) => {
    expect(read(reply(args), { tools }).calls).toMatchObject([
      { args: meant, complete: true, repairs: ['unescaped-quote'] },
    ])
  })

  test('an undeclared key is a key if no error precedes it', () => {
    expect(read(reply('{"a": "x", "zzz": 1}'), { tools }).calls).toMatchObject([
      { args: { a: 'x', zzz: 1 }, repairs: [] },
    ])
  })
})

describe('missing brackets before the closing mark', () => {
  test.each([
    ['{"name": "write", "arguments": {"a": "x"}', { a: 'x' }],
    ['{"name": "write", "arguments": {"a": "x"', { a: 'x' }],
    ['{"name": "write", "arguments": {"a": [1, {"b": 2}', { a: [1, { b: 2 }] }],
  ])('%s', (object, args) => {
    const { calls } = read(`<tool_call>\n${object}\n</tool_call>`)
    expect(calls).toMatchObject([{ args, complete: true, repairs: ['missing-bracket'] }])
  })

  test('in a section', () => {
    const text =
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.write:0<|tool_call_argument_begin|>{"a": "x"<|tool_call_end|><|tool_calls_section_end|>'
    const { calls } = parse(text, { protocols: protocols['kimi-k2'] })
    expect(calls).toMatchObject([
      { args: { a: 'x' }, complete: true, repairs: ['missing-bracket'] },
    ])
  })

  test.each([
    '{"name": "write", "arguments": {"a": "say "</tool_call>" ok"}}',
    '{"name": "write", "arguments": {"a": "x',
    '{"name": "write", "arguments": {"a":',
    '{"name": "write", "arguments": {"a": 1,',
  ])('are not added if a value may be open: %s', (object) => {
    const reply = read(`<tool_call>\n${object}\n</tool_call>`)
    expect(reply.calls.filter(({ complete }) => complete)).toEqual([])
  })

  test('are not added if the reply ends there', () => {
    const { calls } = read('<tool_call>\n{"name": "write", "arguments": {"a": "x"}')
    expect(calls).toMatchObject([{ args: { a: 'x' }, complete: false, repairs: [] }])
  })
})

test.each(['{{"name": "write", "arguments": {}}}', '{{"name": "write", "arguments": {}}'])(
  'braces doubled by a template: %s',
  (object) => {
    const { calls } = read(`<tool_call>\n${object}\n</tool_call>`)
    expect(calls).toMatchObject([{ args: {}, complete: true, repairs: ['extra-bracket'] }])
  },
)
