import { describe, expect, test } from 'vitest'
import { createParser, parse, type ParserOptions, type RepairDetail } from '../index.ts'
import { details } from './details.ts'

const text = { type: 'string' }
const integer = { type: 'integer' }
const tools = [
  {
    name: 'write',
    parameters: {
      type: 'object',
      properties: {
        path: text,
        content: text,
        n: integer,
        list: { type: 'array', items: integer },
        deep: { type: 'object', properties: { list: { type: 'array', items: integer } } },
      },
      additionalProperties: false,
    },
  },
  { name: 'say', parameters: { type: 'object', properties: { text } } },
]

function detailsOf(reply: string, options: ParserOptions): readonly RepairDetail[] {
  const { calls } = parse(reply, { details, ...options })
  return calls.flatMap(({ details }) => details ?? [])
}

type Row = readonly [reply: string, acted: readonly (readonly [was: string, became: string])[]]

/** Hermes replies and the expected places of each repair. */
const inJson: Readonly<Record<string, readonly Row[]>> = {
  'trailing-comma': [
    [args('{"a": [1, "x" , ] ,\n}'), [gone(','), gone(',')]],
    [args('{"a": 1, /* x, y */ // z,\n }'), [gone(',')]],
  ],
  'single-quotes': [
    [
      args(`{'a': 'it\\'s "ok"'}`),
      [
        ["'a'", '"a"'],
        [`'it\\'s "ok"'`, '"it\'s \\"ok\\""'],
      ],
    ],
    [
      args(`{"a": '${'x'.repeat(300)}'}`),
      [
        ["'", '"'],
        ["'", '"'],
      ],
    ],
  ],
  'python-word': [
    [
      args('{"a": [True, None]}'),
      [
        ['True', 'true'],
        ['None', 'null'],
      ],
    ],
  ],
  'raw-control': [
    [
      args('{"a": "x\ny\tz"}'),
      [
        ['\n', '\\n'],
        ['\t', '\\t'],
      ],
    ],
  ],
  'unquoted-key': [
    [
      args('{a: 1, $b-c : 2}'),
      [
        ['a', '"a"'],
        ['$b-c', '"$b-c"'],
      ],
    ],
  ],
  'unquoted-string': [[args('{"a": /* c */x.ts}'), [['x.ts', '"x.ts"']]]],
  'missing-comma': [[args('{"a": 1 "b": 2}'), [['', ',']]]],
  comment: [[args('{"a": 1 // one\n, /* "b" */ "c": 3}'), [gone('// one'), gone('/* "b" */')]]],
  'bad-escape': [
    [
      args('{"a": "\\$5 \\u12 \\\'"}'),
      [
        ['\\', '\\\\'],
        ['\\', '\\\\'],
        ["\\'", "'"],
      ],
    ],
  ],
  'unescaped-quote': [
    [
      args('{"a": "say "hi" to"}'),
      [
        ['"', '\\"'],
        ['"', '\\"'],
      ],
    ],
    [
      args('{"a": "f("x", "y")"}'),
      [
        ['"', '\\"'],
        ['"', '\\"'],
        ['"', '\\"'],
        ['"', '\\"'],
      ],
    ],
  ],
  'missing-bracket': [
    ['<tool_call>{"name": "f", "arguments": {"a": [1</tool_call>', [['', ']}}']]],
  ],
  'null-arguments': [[args('null'), [['null', '{}']]]],
  'number-out-of-range': [
    [args('{"a": 12345678901234567890}'), [['12345678901234567890', '12345678901234567000']]],
  ],
  'duplicate-key': [
    [args('{"a": 1, "b": 2, "a": 3}'), [same('"a"')]],
    [args('{"a": {"b": 1, "b": 2}}'), [same('"b"')]],
  ],
  'extra-bracket': [
    ['<tool_call>{"name": "f", "arguments": {}}}\n</tool_call>', [gone('}')]],
    ['<tool_call>{{"name": "f", "arguments": {}}}</tool_call>', [gone('{'), gone('}')]],
  ],
  fence: [
    [
      '<tool_call>\n```json\n{"name": "f", "arguments": {}}\n```\n</tool_call>',
      [gone('```json'), gone('```')],
    ],
  ],
  'missing-closer': [['<tool_call>{"name": "f", "arguments": {}}', [['', '</tool_call>']]]],
  'wrong-closer': [
    ['<tool_call>{"name": "f", "arguments": {}}</function>', [['</function>', '</tool_call>']]],
  ],
  'alias-key': [
    [
      '<tool_call>{"tool": "f", "args": {}}</tool_call>',
      [
        ['"tool"', '"name"'],
        ['"args"', '"arguments"'],
      ],
    ],
  ],
  'extra-member': [
    ['<tool_call>{"name": "f", "arguments": {}, "x": 1}</tool_call>', [gone('"x"')]],
    ['<tool_call>{"i\\u0064": 1, "name": "f", "arguments": {"id": 2}}</tool_call>', []],
    [
      '<tool_call>{"i\\u0064x": 1, "name": "f", "arguments": {}}</tool_call>',
      [gone('"i\\u0064x"')],
    ],
  ],
  'flat-arguments': [['<tool_call>{"name": "f", "x": 1}</tool_call>', [['"x"', 'arguments.x']]]],
}

describe.each(Object.entries(inJson))('%s', (name, rows) => {
  test.each(rows)('%s', (reply, acted) => {
    const details = detailsOf(reply, { protocols: 'hermes' }).filter((one) => one.name === name)
    expect(details.map(({ was, became }) => [was, became])).toEqual(acted)
  })
})

const tags = (inside: string): string =>
  `<tool_call>\n<function=write>\n${inside}</function>\n</tool_call>`
const path = '<parameter=path>\na\n</parameter>\n'

/** Repairs that require known tools or other protocols. */
const others: readonly (readonly [name: string, protocol: ParserOptions['protocols'], ...Row])[] = [
  ['coerced', 'hermes', call('write', '{"n": "80"}'), [['"80"', '80']]],
  [
    'coerced',
    'hermes',
    call('write', '{"deep": {"list": ["1", 2, "3"]}}'),
    [
      ['"1"', '1'],
      ['"3"', '3'],
    ],
  ],
  [
    'coerced',
    'hermes',
    '<tool_call>{"arguments": {"n": "80"}, "name": "write"}</tool_call>',
    [['"80"', '80']],
  ],
  ['coerced', 'qwen3-coder', tags('<parameter=list>\n["1"]\n</parameter>\n'), [['"1"', '1']]],
  ['mistyped', 'hermes', call('write', '{"n": "many"}'), [same('"many"')]],
  ['mistyped', 'qwen3-coder', tags('<parameter=n>\nmany\n</parameter>\n'), [same('many')]],
  ['alias-key', 'hermes', call('write', '{"Path": "a"}'), [['"Path"', '"path"']]],
  ['unknown-key', 'hermes', call('write', '{"path": "a", "x": 1}'), [gone('"x"')]],
  ['namespace', 'hermes', call('functions.write', '{}'), [['"functions.write"', '"write"']]],
  [
    'several-calls',
    'hermes',
    '<tool_call>{"name": "say", "arguments": {}}, {"name": "say", "arguments": {}}</tool_call>',
    [[',', '</tool_call>']],
  ],
  [
    'double-encoded',
    'cohere',
    '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "say", "parameters": "{\\"text\\": True,}"}]<|END_ACTION|>',
    [['"{\\"text\\": True,}"', '{"text": True,}']],
  ],
  [
    'trailing-comma',
    'cohere',
    '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "say", "parameters": "{\\"text\\": True,}"}]<|END_ACTION|>',
    [gone(',')],
  ],
  [
    'double-encoded',
    'qwen3-coder',
    tags('<parameter=list>\n[\\"1\\"]\n</parameter>\n'),
    [['[\\"1\\"]', '["1"]']],
  ],
  [
    'single-quotes',
    'qwen3-coder',
    tags("<parameter=list>\n['a', 'b']\n</parameter>\n"),
    [
      ["'a'", '"a"'],
      ["'b'", '"b"'],
    ],
  ],
  ['trailing-comma', 'qwen3-coder', tags('<parameter=list>\n[1, 2,]\n</parameter>\n'), [gone(',')]],
  [
    'missing-closer',
    'qwen3-coder',
    tags('<parameter=path>\na\n<parameter=content>\nb\n</parameter>\n'),
    [['', '</parameter>']],
  ],
  [
    'missing-closer',
    'glm',
    '<tool_call>say\n<arg_key>text<arg_value>a</arg_value>\n</tool_call>',
    [['', '</arg_key>']],
  ],
  [
    'missing-opener',
    'glm',
    '<tool_call>say\n<arg_key>text</arg_key>a</arg_value>\n</tool_call>',
    [['', '<arg_value>']],
  ],
  [
    'missing-opener',
    'glm',
    '<tool_call>say\n<arg_key>text</arg_key>arg_value>a</arg_value>\n</tool_call>',
    [['arg_value>', '<arg_value>']],
  ],
  [
    'doubled-closer',
    'qwen3-coder',
    tags(path.replace('</parameter>', '</parameter></parameter>')),
    [gone('</parameter>')],
  ],
  ['stray-text', 'qwen3-coder', tags(`${path}So.\n`), [gone('So.')]],
  ['damaged-opener', 'qwen3-coder', tags(path).replace('=write>', '=write'), [['', '>']]],
  [
    'damaged-opener',
    'qwen3-coder',
    tags(path).replaceAll('function', 'invoke'),
    [['invoke', 'function']],
  ],
  [
    'damaged-opener',
    'glm',
    '<user>say\n<arg_key>text</arg_key><arg_value>a</arg_value></tool_call>',
    [['user', 'tool_call']],
  ],
  ['damaged-opener', 'morph-xml', '<write\n<path>a</path>\n/>', [['', '>']]],
  [
    'damaged-closer',
    'morph-xml',
    '<write>\n<path>a</path>\n</ write>',
    [['</ write>', '</write>']],
  ],
  ['missing-closer', 'morph-xml', '<write>\n<path>a\n</write>', [['', '</path>']]],
  ['doubled-closer', 'morph-xml', '<write>\n<path>a</path></path>\n</write>', [gone('</path>')]],
  ['text-body', 'morph-xml', '<say>\nhello\n</say>', [same('hello')]],
  [
    'json-body',
    'seed-oss',
    '<seed:tool_call>\n<function=write>\n{"path": "a"}</function>\n</seed:tool_call>',
    [same('{')],
  ],
  [
    'missing-value',
    'glm',
    '<tool_call>say\n<arg_key>text</arg_key></tool_call>',
    [gone('<arg_key>text</arg_key>')],
  ],
  [
    'quoted-closer',
    'qwen3-coder',
    tags('<parameter=path>\na\n</parameter>\nb\n</parameter>\n'),
    [same('</parameter>')],
  ],
  [
    'quoted-argument',
    'qwen3-coder',
    tags('<parameter=path>\nUse <parameter=color> to open.\n</parameter>\n'),
    [same('<parameter=')],
  ],
  [
    'wrapped-arguments',
    'qwen3-coder',
    tags('<parameter=arguments>\n{"path": "a"}\n</parameter>\n'),
    [gone('arguments')],
  ],
  [
    'wrapped-value',
    'qwen3-coder',
    tags('<parameter=n>\n<value>2</value>\n</parameter>\n'),
    [same('<value>2</value>')],
  ],
  [
    'escaped-text',
    'glm',
    '<tool_call>say\\n<arg_key>text</arg_key>\\n<arg_value>a</arg_value>\n</tool_call>',
    [
      ['\\n', '\n'],
      ['\\n', '\n'],
    ],
  ],
  [
    'tool-id',
    'kimi-k2',
    '<|tool_call_begin|>functions_say_1<|tool_call_argument_begin|>{}<|tool_call_end|>',
    [['functions_say_1', 'say']],
  ],
  [
    'unescaped-quote',
    'pythonic',
    '[say(text="a "b" c")]',
    [
      ['"', '\\"'],
      ['"', '\\"'],
    ],
  ],
  ['raw-control', 'pythonic', "[say(text='a\nb')]", [['\n', '\\n']]],
  ['leading-zeros', 'pythonic', '[write(n=007)]', [['007', '7']]],
  ['other-quotes', 'gemma4', '<|tool_call>call:say{text:"a"}<tool_call|>', [['"', '<|"|>']]],
  ['equals-sign', 'gemma4', '<|tool_call>call:say{text=<|"|>a<|"|>}<tool_call|>', [['=', ':']]],
  ['unquoted-string', 'gemma4', '<|tool_call>call:say{text:a b}<tool_call|>', [['a b', '"a b"']]],
  [
    'stray-mark',
    'glimmer',
    '<atem:function_calls>\n<atem:invoke name="say<|message|>">\n</atem:invoke>\n</atem:function_calls>',
    [gone('<|message|>')],
  ],
  [
    'missing-mark',
    'kimi-k3',
    '<|open|>toolscall tool="say" index="1"<|sep|><|close|>call<|sep|>',
    [['', '<|sep|><|open|>']],
  ],
]

test.each(others)('%s in %s: %s', (name, protocols, reply, acted) => {
  const details = detailsOf(reply, { protocols, tools }).filter((one) => one.name === name)
  expect(details.map(({ was, became }) => [was, became])).toEqual(acted)
})

test('without the option, calls have no details', () => {
  expect(parse(args('{"a": 1,}')).calls[0]).not.toHaveProperty('details')
  expect(parse(args('{"a": 1}'), { details }).calls[0]?.details).toEqual([])
})

test('text in the prompt is not part of a detail', () => {
  const reply = args('{"a": 1,}')
  for (let at = 0; at < reply.length; at++) {
    const parser = createParser({ protocols: 'hermes', prefix: reply.slice(0, at), details })
    const rest = reply.slice(at)
    const events = [...parser.feed(rest), ...parser.end()]
    const [call] = events.flatMap((event) => (event.type === 'call-end' ? [event.call] : []))
    const [detail] = call?.details ?? []
    expect(detail?.name).toBe('trailing-comma')
    expect(rest.slice(...detail!.span)).toBe(detail!.was)
    expect(detail!.was).toBe(rest.includes(',}') ? ',' : '')
  }
})

const prefixed = (prefix: string, reply: string): readonly (readonly unknown[])[] =>
  detailsOf(reply, { protocols: 'hermes', prefix }).map((one) => [one.name, one.was, one.became])

/** Replies whose only repair acted on the piece between « and ». */
const exactly: readonly string[] = [
  '<tool_call>{«"x"»: 1, "name": "f", "arguments": {"max": 2}}</tool_call>',
  '<tool_call>{«"id2"»: "q", "name": "f", "arguments": {"text": "the id2 of it"}}</tool_call>',
  '<tool_call>{"name": "get_the_time", «"e"»: "hello there"}</tool_call>',
  args('{"text": "call 12345678901234567890123 now", "n": «12345678901234567890123»}'),
  args('{"text": "12345678901234567890123", "n": [«12345678901234567890123»]}'),
  args('{"a": {"b": 1, «"b"»: "b"}}'),
  '<write>\npath: the n 55\nn: «"5"»\n</write>',
  '<tool_call>{"arguments": {"content": "n: 5, \\"n\\": \\"5\\"", "deep": {"n": "5"}, "n": «"5"»}, "name": "write"}</tool_call>',
  '<tool_call>{"arguments": {"content": "n: x", "n": «"x"»}, "name": "write"}</tool_call>',
  tags('<parameter=«arguments»>\n{"path": "arguments of"}\n</parameter>\n'),
]

test.each(exactly)('the repair acts only at the marked place: %s', (marked) => {
  const from = marked.indexOf('«')
  const to = marked.indexOf('»') - 1
  const found = detailsOf(marked.replace(/[«»]/g, ''), { tools })
  expect(found.map(({ span }) => span)).toEqual([[from, to]])
})

test('a repair for a later call of a block is found in that call', () => {
  const one = '{"name": "write", "arguments": {"n": 1}}'
  const other = one.replace('1', '"1"')
  const reply = `<tool_call>${one}${other}</tool_call>`
  const coerced = detailsOf(reply, { tools }).find(({ name }) => name === 'coerced')
  expect(coerced?.span[0]).toBe(reply.indexOf('"1"'))
})

test('a repair in the prompt is reported only if it acted nowhere else', () => {
  const prefix = `<tool_call>\n{"name": "x", "arguments": {'b': 1, `
  const rest = `'a': 1,}}\n</tool_call>`
  expect(prefixed(prefix, rest)).toEqual([
    ['single-quotes', "'a'", '"a"'],
    ['trailing-comma', ',', ''],
  ])
  expect(prefixed(prefix, rest.replaceAll("'", '"'))).toEqual([
    ['single-quotes', '', ''],
    ['trailing-comma', ',', ''],
  ])
})

test('a piece that begins in the prompt has no replacement', () => {
  const start = '<tool_call>\n{"name": "x", "arguments": {"a": '
  expect(prefixed(`${start}'b`, `c'}}\n</tool_call>`)).toEqual([['single-quotes', "c'", "c'"]])
  expect(prefixed(`${start}1 /* b`, `c */}}\n</tool_call>`)).toEqual([['comment', 'c */', '']])
  expect(prefixed(`${start}src`, `.ts}}\n</tool_call>`)).toEqual([['unquoted-string', '', '"']])
  expect(prefixed(`${start}"say "`, `hi" to"}}\n</tool_call>`)).toEqual([
    ['unescaped-quote', '"', '\\"'],
  ])
})

test('the first of several calls in a block has the details', () => {
  const one = '{"name": "x", "arguments": {"a": 1,}}'
  const { calls } = parse(`<tool_call>${one.repeat(500)}</tool_call>`, { details })
  expect(calls).toHaveLength(500)
  expect(calls[0]?.details?.length).toBe(999)
  for (const { details } of calls.slice(1)) expect(details).toEqual([])
})

test('a call has at most 1000 details, and at least one for each name', () => {
  const { calls } = parse(args(`{"a": [${'[1,],'.repeat(5000)}True]}`), { details })
  const names = calls[0]!.details!.map(({ name }) => name)
  expect(names).toHaveLength(1001)
  expect(new Set(names)).toEqual(new Set(['trailing-comma', 'python-word']))
})

test('a long piece is shortened to its ends or its beginning', () => {
  const long = 'x'.repeat(100_000)
  for (const json of [
    `{'a': '${long}'}`,
    `{"n": "${long}"}`,
    JSON.stringify(`{"a": "${long}",}`),
    `{"path": ${long}}`,
  ])
    for (const { was, became } of detailsOf(call('write', json), { tools }))
      expect(was.length + became.length).toBeLessThan(1000)
})

function args(json: string): string {
  return call('f', json)
}

function call(name: string, json: string): string {
  return `<tool_call>\n{"name": "${name}", "arguments": ${json}}\n</tool_call>`
}

function gone(was: string): [string, string] {
  return [was, '']
}

function same(was: string): [string, string] {
  return [was, was]
}
