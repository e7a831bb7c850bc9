import { describe, expect, test } from 'vitest'
import {
  type Finish,
  parse,
  type ParseOptions,
  protocols,
  type Reply,
  type ToolDefinition,
} from '../index.ts'

const hermes = protocols.hermes
const open = '<tool_call>\n{"name": "ping", "arguments": {"n": 1}}'

function read(text: string, options: ParseOptions = {}): Reply {
  return parse(text, { protocols: hermes, ...options })
}

test.each([
  ['\n</tool_call>', []],
  ['   </tool_call>', []],
  ['}\n</tool_call>', ['extra-bracket']],
  [']}\n</tool_call>', ['extra-bracket']],
  ['\n</tool>', ['wrong-closer']],
  ['\n</function_call>', ['wrong-closer']],
  ['', ['missing-closer']],
  ['\n', ['missing-closer']],
  ['\n</tool_ca', ['missing-closer']],
])('%j closes the call, with %j', (closer, repairs) => {
  expect(read(open + closer).calls).toMatchObject([{ args: { n: 1 }, complete: true, repairs }])
})

test.each([
  ['</tool_c', true],
  ['\n</tool_c', true],
  ['<', false],
  ['<arg_k', false],
])('cut off after an argument, in %j: complete is %s', (rest, complete) => {
  const text = `<tool_call>ping\n<arg_key>a</arg_key>\n<arg_value>x</arg_value>${rest}`
  for (const finish of ['stop', 'length'] as const) {
    const { calls } = read(text, { protocols: protocols.glm, finish })
    expect(calls).toMatchObject([{ args: { a: 'x' }, complete: complete && finish === 'stop' }])
  }
})

test('line breaks in text that was escaped as a whole are whitespace between marks', () => {
  const glm = protocols.glm
  const text = String.raw`<tool_call>ping\n<arg_key>a\nb</arg_key>\n<arg_value>\nx</arg_value>\n</tool_call>`
  expect(read(text, { protocols: glm }).calls).toMatchObject([
    { name: 'ping', args: { 'a\\nb': '\\nx' }, complete: true, repairs: ['escaped-text'] },
  ])
  expect(read(text, { protocols: glm, repairs: false }).calls).toEqual([])
})

test('an argument without a value is dropped, with a repair', () => {
  const bad = '<tool_call>ping\n<arg_key>a</arg_key></tool_call>'
  const good = '<tool_call>ping\n<arg_key>a</arg_key>\n<arg_value>x</arg_value>\n</tool_call>'
  expect(read(bad + good, { protocols: protocols.glm }).calls).toMatchObject([
    { args: {}, complete: true, repairs: ['missing-value'], raw: bad },
    { args: { a: 'x' }, complete: true, repairs: [], raw: good },
  ])
})

test('the next call closes the one before it', () => {
  const { calls, segments } = read(`${open}\n${open}\n</tool_call>`)
  expect(calls).toMatchObject([
    { complete: true, repairs: ['missing-closer'] },
    { complete: true, repairs: [] },
  ])
  expect(segments.map(({ type }) => type)).toEqual(['call', 'call'])
})

test('JSON in a fence between the marks', () => {
  const text = '<tool_call>\n```json\n{"name": "ping", "arguments": {}}\n```\n</tool_call>'
  expect(read(text).calls).toMatchObject([{ complete: true, repairs: ['fence'] }])
})

test.each([
  ' and so on</tool_call>',
  ' {"name": "other"}</tool_call>',
  ', "x"]</tool_call>',
  ' hello',
])('a value and then %j is malformed', (closer) => {
  const text = open + closer
  const reply = read(text)
  expect(reply.calls).toEqual([])
  expect(reply.segments).toMatchObject([{ type: 'malformed', problem: 'trailing-text', raw: text }])
})

test.each<[Finish, boolean]>([
  ['stop', true],
  ['stop-string', true],
  ['length', false],
  ['broken', false],
])('a reply that ended by %s before its closing mark: complete is %s', (finish, complete) => {
  const repairs = complete ? ['missing-closer'] : []
  for (const text of [open, `${open}\n`, `${open}\n</tool_cal`]) {
    expect(read(text, { finish }).calls).toMatchObject([{ complete, repairs, args: { n: 1 } }])
  }
})

test('without repairs, no mark may be missing', () => {
  for (const closer of ['', '}\n</tool_call>', '\n</tool>']) {
    const { calls } = read(open + closer, { repairs: false })
    expect(calls.filter(({ complete }) => complete)).toEqual([])
  }
})

test('without a closing mark, the end of the value closes the call, for any ending of the reply', () => {
  for (const finish of ['stop', 'length', 'broken'] as const) {
    const { calls } = parse('[TOOL_CALLS]ping[ARGS]{"n": 1}', {
      protocols: protocols.mistral,
      finish,
    })
    expect(calls).toMatchObject([{ args: { n: 1 }, complete: true, repairs: [] }])
  }
})

test('the closing mark of a call is content in a value with its own mark', () => {
  const text = '<tool name="write"><arg name="content">a</tool>b</arg></tool>'
  expect(parse(text, { protocols: protocols['tool-xml'] }).calls).toMatchObject([
    { args: { content: 'a</tool>b' }, complete: true, repairs: [] },
  ])
})

test('a value is read although the mark after its name is missing', () => {
  const text = '<tool_call>ping\n<arg_key>a\n<arg_value>x</arg_value>\n</tool_call>'
  expect(read(text, { protocols: protocols.glm }).calls).toMatchObject([
    { args: { a: 'x' }, complete: true, repairs: ['missing-closer'] },
  ])
})

test('an argument with an unreadable value is not dropped', () => {
  const text = '<invoke name="ping">\n<parameter name="a" kind="b">x</parameter>\n</invoke>'
  const reply = read(text, { protocols: protocols.dots })
  expect(reply.calls).toEqual([])
  expect(reply.text).toBe(text)
})

describe('without its closing mark, a call that lacks an argument was cut off', () => {
  const needsPath: ToolDefinition = {
    name: 'read',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, limit: { type: 'integer' } },
      required: ['path'],
    },
  }
  const tools = [needsPath, { name: 'now', parameters: { type: 'object' } }]

  test.each<[protocol: string, text: string, complete: boolean]>([
    ['qwen3-coder', '<tool_call>\n<function=now>', false],
    ['qwen3-coder', '<tool_call>\n<function=now>\n</function>', true],
    ['qwen3-coder', '<tool_call>\n<function=now>\n</function>\n</tool_call>', true],
    ['qwen3-coder', '<tool_call>\n<function=read>\n</function>', false],
    ['qwen3-coder', '<function=read>\n<parameter=limit>\n1\n</parameter>', false],
    ['qwen3-coder', '<function=read>\n<parameter=path>\na\n</parameter>', true],
    ['qwen3-coder', '<function=read>\n<parameter=path>\na', false],
    ['minicpm5', '<function name="now">', false],
    ['minicpm5', '<function name="now"></function>', true],
    ['kimi-k3', '<|open|>tools<|sep|><|open|>call tool="now" index="1"<|sep|>', false],
    ['hermes', '<tool_call>\n{"name": "now"}', false],
    ['hermes', '<tool_call>\n{"name": "now"}\n</tool_call>', true],
    ['hermes', '<tool_call>\n{"name": "now", "arguments": {}}', true],
    ['hermes', '<tool_call>\n{"name": "read", "arguments": {}}', false],
    ['hermes', '<tool_call>\n{"name": "read", "arguments": {}}\n</tool_call>', true],
    ['tool-yaml', 'TOOL: read\nARGS:\n  limit: 1\n', false],
    ['tool-yaml', 'TOOL: now\nARGS:\n', true],
    ['yaml-xml', '<read>\npath: a', false],
    ['yaml-xml', '<read>\npath: a\n', true],
    ['llama3-json', '{"name": "read", "parameters": {}}', true],
    ['pythonic', '[read()]', true],
  ])('%s: %j is complete: %s', (id, text, complete) => {
    for (const end of [{}, { finish: 'stop' }, { finish: 'stop-string' }] as const) {
      const { calls } = read(text, { protocols: protocols[id]!, tools, ...end })
      expect(calls.map((call) => call.complete)).toEqual([complete])
    }
  })

  test('a call that lacks an argument is incomplete if the next call begins there', () => {
    const { calls } = read(`<tool_call>{"name": "read", "arguments": {}}\n${open}</tool_call>`, {
      tools: [...tools, { name: 'ping' }],
    })
    expect(calls.map(({ name, complete }) => [name, complete])).toEqual([
      ['read', false],
      ['ping', true],
    ])
  })

  test('a call that lacks an argument is incomplete if its schema is a reference', () => {
    const referred = { $ref: '#/$defs/read', $defs: { read: needsPath.parameters } }
    const text = '<tool_call>\n{"name": "read", "arguments": {"limit": 1}}'
    const { calls } = read(text, { tools: [{ name: 'read', parameters: referred }] })
    expect(calls).toMatchObject([{ args: { limit: 1 }, complete: false }])
  })
})
