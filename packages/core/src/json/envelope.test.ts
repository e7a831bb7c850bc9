import { describe, expect, test } from 'vitest'
import { parse, type ParseOptions, protocols, type Reply } from '../index.ts'

const hermes = protocols.hermes
const ptk = protocols.ptk

function read(object: string, options: ParseOptions = {}): Reply {
  return parse(`<tool_call>\n${object}\n</tool_call>`, { protocols: hermes, ...options })
}

function problems({ segments }: Reply): string[] {
  return segments.flatMap((segment) => (segment.type === 'malformed' ? [segment.problem] : []))
}

test.each([
  ['{"name": "ping", "arguments": {"n": 1}}', []],
  ['{"arguments": {"n": 1}, "name": "ping"}', []],
  ['{"name": "ping", "parameters": {"n": 1}}', []],
  ['{"name": "ping", "arguments": "{\\"n\\": 1}"}', []],
  ['{"\\u006eame": "\\u0070ing", "arguments": {"n": 1}}', []],
  ['{"type": "function", "id": "c", "name": "ping", "arguments": {"n": 1}}', []],
  ['{"id": "c", "function": {"arguments": {"n": 1}, "name": "ping"}}', []],
  ['{"tool": "ping", "args": {"n": 1}}', ['alias-key']],
  ['{"name": "ping", "args": {"n": 1}}', ['alias-key']],
  ['{"name": "ping", "note": {"name": "x"}, "arguments": {"n": 1}}', ['extra-member']],
  ["{'name': 'ping', 'arguments': {'n': 1}}", ['single-quotes']],
  ['{name: "ping", arguments: {n: 1}}', ['unquoted-key']],
  ['{"name": "ping", "arguments": {"n": 1},}', ['trailing-comma']],
])('%s', (object, repairs) => {
  expect(read(object).calls).toMatchObject([
    { name: 'ping', args: { n: 1 }, complete: true, repairs },
  ])
})

test.each([
  ['{"name": "ping", "tool": "other", "arguments": {}}', 'ambiguous'],
  ['{"name": "ping", "name": "other", "arguments": {}}', 'ambiguous'],
  ['{"name": "ping", "arguments": {}, "parameters": {}}', 'ambiguous'],
  ['{"name": "ping", "arguments": {}, "args": {}}', 'ambiguous'],
  ['{"arguments": {}, "args": {}, "name": "ping"}', 'ambiguous'],
  ['{"arguments": {}}', 'no-name'],
  ['{"name": "", "arguments": {}}', 'no-name'],
  ['{}', 'no-name'],
  ['{"name": 5, "arguments": {}}', 'shape'],
  ['{"name": {"name": "ping"}, "arguments": {}}', 'shape'],
])('%s has the problem %s', (object, problem) => {
  const reply = read(object)
  expect(reply.calls).toEqual([])
  expect(problems(reply)).toEqual([problem])
})

test('aliases are not accepted without repairs', () => {
  expect(read('{"tool": "ping", "args": {}}', { repairs: false }).calls).toEqual([])
})

test('a call without arguments has none', () => {
  expect(read('{"name": "ping"}').calls).toMatchObject([{ args: {}, complete: true, repairs: [] }])
})

test.each(['"abc-1"', '7'])("a call's id is kept: %s", (id) => {
  const [call] = read(`{"id": ${id}, "function": {"name": "ping", "arguments": {}}}`).calls
  expect(call?.id).toBe(String(JSON.parse(id)))
})

test("a call's reason is kept", () => {
  const text = '<PTK_CALL>{"tool": "ping", "reasoning": "to \\"see\\"", "args": {}}</PTK_CALL>'
  expect(parse(text, { protocols: ptk }).calls).toMatchObject([{ reasoning: 'to "see"' }])
})

describe('arguments as JSON in a string', () => {
  const inside = (args: string): string =>
    `<PTK_CALL>{"tool": "ping", "args": ${JSON.stringify(args)}}</PTK_CALL>`

  test.each([
    ['{"a": "x\\ny"}', { a: 'x\ny' }, ['double-encoded']],
    ["{'a': 1,}", { a: 1 }, ['double-encoded', 'single-quotes', 'trailing-comma']],
  ])('%s', (args, meant, repairs) => {
    expect(parse(inside(args), { protocols: ptk }).calls).toMatchObject([
      { args: meant, complete: true, repairs },
    ])
  })

  test('are not accepted without repairs', () => {
    expect(problems(parse(inside('{}'), { protocols: ptk, repairs: false }))).toEqual(['shape'])
  })

  test.each(['{"a": 1', '{"a": "x', '{"a": 1} x', '{"a": 1}{}', 'text', '', '[1]'])(
    'are not accepted if they are cut off or occur several times: %j',
    (args) => {
      const reply = parse(inside(args), { protocols: ptk })
      expect(reply.calls).toEqual([])
      expect(problems(reply)).toEqual(['shape'])
    },
  )
})

describe('a call cut after the arguments', () => {
  const text = '<PTK_CALL>{"tool": "ping", "args": {"n": 1}, "reasoning": "to see"}</PTK_CALL>'
  const from = text.indexOf(', "reasoning"')

  test('has its arguments but is incomplete', () => {
    for (let i = from; i < text.lastIndexOf('}') + 1; i++) {
      for (const finish of ['stop', 'length'] as const) {
        expect(parse(text.slice(0, i), { protocols: ptk, finish }).calls).toMatchObject([
          { args: { n: 1 }, complete: false },
        ])
      }
    }
  })
})

test.each([
  '{"name": {"": ',
  '{"name": ["ping", "arguments": {"b": "w"}}}',
  '{"name": {"a": 1, "b"',
])('requires the name to be a string, regardless of where the call is cut off: %s', (text) => {
  for (const repairs of [true, false]) {
    for (let i = 0; i <= text.length; i++) {
      const reply = parse(`<tool_call>${text.slice(0, i)}`, { protocols: hermes, repairs })
      expect(reply.calls).toEqual([])
    }
  }
})

test.each(['"w}}]', '"w"]', '}w"}}]'])(
  'a list broken at %s does not affect the next one',
  (rest) => {
    const list = (name: string, args: string): string =>
      `<TOOLCALL>[{"name": "${name}", "arguments": ${args}`
    const text = `${list('bad', `{"b": ${rest}`)}</TOOLCALL>\n${list('good', '{"k": "v"}}]')}</TOOLCALL>`
    const { calls } = parse(text, { protocols: protocols['nemotron-v2'] })
    expect(calls).toMatchObject([{ name: 'good', args: { k: 'v' }, complete: true }])
  },
)

describe('arguments beside the name', () => {
  const tools = [{ name: 'ping', parameters: { properties: { n: { type: 'integer' }, id: {} } } }]

  test.each([
    ['{"name": "ping", "n": 1}', { n: 1 }, ['flat-arguments']],
    ['{"n": 1, "type": "function", "name": "ping"}', { n: 1 }, ['flat-arguments']],
    ['{"name": "ping", "n": "1"}', { n: 1 }, ['flat-arguments', 'coerced']],
    ['{"name": "ping", "id": 7}', { id: 7 }, ['flat-arguments']],
    ['{"name": "ping", "n": 1, "why": "so"}', { n: 1 }, ['flat-arguments', 'extra-member']],
    ['{"name": "ping", "why": "so"}', {}, ['extra-member']],
    ['{"name": "ping", "n": 2, "arguments": {"n": 1}}', { n: 1 }, ['extra-member']],
  ])('%s', (object, args, repairs) => {
    expect(read(object, { tools }).calls).toMatchObject([{ args, complete: true, repairs }])
  })

  test('include all members if the tool is unknown', () => {
    expect(read('{"name": "ping", "id": 7, "why": "so"}').calls).toMatchObject([
      { args: { why: 'so' }, repairs: ['flat-arguments'] },
    ])
  })

  test('are not accepted without repairs', () => {
    const { calls } = read('{"name": "ping", "n": 1}', { tools, repairs: false })
    expect(calls).toMatchObject([{ args: {}, repairs: ['extra-member'] }])
  })
})

describe('several objects between the same marks', () => {
  const [one, two] = [
    '{"name": "ping", "arguments": {"n": 1}}',
    '{"name": "pong", "arguments": {}}',
  ]

  test.each(['\n', ',\n', ' ', ''])('are separate calls, with %j between them', (between) => {
    const { calls } = read(one + between + two)
    expect(calls).toMatchObject([
      { name: 'ping', args: { n: 1 }, complete: true, repairs: ['several-calls'] },
      { name: 'pong', args: {}, complete: true, repairs: ['several-calls'] },
    ])
  })

  test.each([`${one}\n{"x": 1}`, `${one}\n{"name": "pong", "arguments": 1}`, `${one}\nand`])(
    'are rejected if one is not a call: %s',
    (objects) => {
      const reply = read(objects)
      expect(reply.calls).toEqual([])
      expect(problems(reply)).toEqual(['trailing-text'])
    },
  )

  test('are incomplete if the reply ends inside one', () => {
    const text = `<tool_call>\n${one}\n${two.slice(0, 20)}`
    expect(parse(text, { protocols: hermes }).calls).toMatchObject([
      { name: 'ping', args: { n: 1 }, complete: false },
    ])
  })
})
