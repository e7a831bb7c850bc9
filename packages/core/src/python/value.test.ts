import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { collectReply, createParser, parse, protocols, type Reply } from '../index.ts'
import { pythonic } from './print.ts'

/** To repeat a run or try more cases: `LAWS_SEED=123 LAWS_RUNS=100000`. */
const seed = process.env['LAWS_SEED'] ? { seed: Number(process.env['LAWS_SEED']) } : {}
const numRuns = Number(process.env['LAWS_RUNS'] ?? 1000)

const options = { protocols: protocols['tool-function'], tools: [{ name: 'ping' }] }

/** A reply with one argument in this notation. */
function reply(value: string): string {
  return `ping(v=${value})`
}

function problems({ segments }: Reply): string[] {
  return segments.flatMap((segment) => (segment.type === 'malformed' ? [segment.problem] : []))
}

const literals: Readonly<Record<string, readonly (readonly [string, unknown])[]>> = {
  numbers: [
    ['1', 1],
    ['-2.5', -2.5],
    ['+3', 3],
    ['1_000', 1000],
    ['1e3', 1000],
    ['.5', 0.5],
    ['5.', 5],
  ],
  words: [
    ['True', true],
    ['False', false],
    ['None', null],
    ['true', true],
    ['null', null],
  ],
  strings: [
    ['""', ''],
    ["''", ''],
    ['"it\'s"', "it's"],
    [`'say "hi"'`, 'say "hi"'],
    ["'it\\'s'", "it's"],
    ['"a, b) = [c] {d}: #"', 'a, b) = [c] {d}: #'],
    ['"""a "b" ""\nc"""', 'a "b" ""\nc'],
    ["'''it's'''", "it's"],
    ['""""""', ''],
    ['"\u{1f600}\ud800"', '\u{1f600}\ud800'],
  ],
  escapes: [
    ['"\\n\\t\\r\\b\\f\\v\\a\\0"', '\n\t\r\b\f\v\u0007\0'],
    ['"\\\\ \\" \\\'"', '\\ " \''],
    ['"\\x41\\u00e9\\U0001F600"', 'Aé\u{1f600}'],
    ['"\\ud83d\\ude00"', '\u{1f600}'],
    ['"a\\\nb"', 'ab'],
    ['"\\d \\q"', '\\d \\q'],
    ['"\\xZZ \\u12 \\U00110000"', '\\xZZ \\u12 \\U00110000'],
  ],
  containers: [
    ['[]', []],
    ['[1, "a", [2], ]', [1, 'a', [2]]],
    ['()', []],
    ['(1,)', [1]],
    ['(1)', 1],
    ['("a")', 'a'],
    ['(1, (2, 3))', [1, [2, 3]]],
    ['{1, 2}', [1, 2]],
    ['{}', {}],
    ["{'a': {'b': [(1, None)]}, }", { a: { b: [[1, null]] } }],
    ['{1: "x", None: 2, True: 3}', { 1: 'x', null: 2, true: 3 }],
    [' [ 1 ,\n 2 ] ', [1, 2]],
  ],
}

describe.each(Object.entries(literals))('%s', (_, rows) => {
  test.each(rows)('%j', (text, value) => {
    expect(parse(reply(text), options).calls).toMatchObject([
      { name: 'ping', args: { v: value }, complete: true, repairs: [] },
    ])
  })
})

test.each([
  ...[
    '',
    'x',
    'a.b',
    'f(1)',
    '1 + 2',
    'not True',
    '-',
    '1j',
    '0x1F',
    '1.2.3',
    '--1',
    'nan',
    '1e999',
  ],
  ...[
    '[1 2]',
    '[1,,2]',
    '[,]',
    '[1',
    '(1 2)',
    '{"a":}',
    '{"a" 1}',
    '{"a": 1, 2}',
    '{"a": 1, "b"}',
    '[x for x in y]',
  ],
  ...['"a" "b"', 'f"x"', '*a', '**a', '1, 2'],
])('%j is not a literal', (text) => {
  const given = parse(reply(text), options)
  expect(given.calls).toEqual([])
  expect(problems(given)).toEqual(['syntax'])
  expect(given.text).toBe(reply(text))
})

test.each(['1', '"x"', "[1, 'a']", '{"a": (1, 2)}', '"""x"""', '"\\u00e9\\n"', 'True'])(
  '%s is incomplete if it is cut off',
  (text) => {
    const whole = reply(text)
    for (const finish of ['stop', 'length'] as const) {
      for (let i = 0; i < whole.length; i++) {
        const { calls } = parse(whole.slice(0, i), { ...options, finish })
        expect(calls.filter(({ complete }) => complete)).toEqual([])
      }
    }
  },
)

test('keeps complete arguments when the rest is cut off', () => {
  expect(parse('ping(a="x", b=[1, 2', options).calls).toMatchObject([
    { args: { a: 'x' }, complete: false },
  ])
})

test.each(['ping(v=1, v=2)', 'ping(v=1, v={"x": 1})'])('%s: recorded', (text) => {
  expect(parse(text, options).calls).toMatchObject([{ complete: true, repairs: ['duplicate-key'] }])
})

test('rejects hostile depth', () => {
  for (const open of ['[', '(', '{', '{"a":', '[{"a":(']) {
    for (const text of [open.repeat(100_000), `${open.repeat(300)}1`]) {
      expect(parse(`ping(v=${text}`, options).calls.filter(({ complete }) => complete)).toEqual([])
    }
  }
  const deep = `${'['.repeat(200)}${']'.repeat(200)}`
  expect(parse(reply(deep), options).calls).toHaveLength(1)
})

test('hostile keys are refused', () => {
  for (const args of ['__proto__={"polluted": 1}', 'v={"a": {"constructor": 2}}']) {
    const { calls, text } = parse(`ping(${args})`, options)
    expect(calls).toEqual([])
    expect(text).toBe(`ping(${args})`)
  }
})

test('printed values are read back in any chunks', () => {
  const value = fc
    .oneof(fc.string({ unit: 'binary' }), fc.jsonValue())
    .filter((given) => !/"(?:__proto__|constructor|prototype)":/.test(JSON.stringify(given)))
  fc.assert(
    fc.property(value, fc.integer({ min: 1, max: 8 }), (given, size) => {
      const parser = createParser(options)
      const chunks = reply(pythonic(given)).match(new RegExp(`[^]{1,${size}}`, 'g'))!
      const { calls } = collectReply([
        ...chunks.flatMap((chunk) => parser.feed(chunk)),
        ...parser.end(),
      ])
      expect(calls).toMatchObject([{ complete: true }])
      expect(JSON.stringify(calls[0]?.args)).toBe(JSON.stringify({ v: given }))
    }),
    { numRuns, ...seed },
  )
})

test('a string that is never closed does not affect the next call', () => {
  const bad = "<|tool_call_start|>[ping(b='w)]<|tool_call_end|>"
  const good = "<|tool_call_start|>[good(k='v')]<|tool_call_end|>"
  const { calls, text } = parse(`${bad}\n${good}`, { protocols: protocols.lfm2 })
  expect(calls).toMatchObject([{ name: 'good', args: { k: 'v' }, complete: true }])
  expect(text).toContain("ping(b='w)]<|tool_call_end|>")
})

test('duplicate keys are reported at any depth', () => {
  const repairs = (v: string): unknown => parse(reply(v), options).calls[0]?.repairs
  expect(repairs('{"a": 1, "b": [{"c": 1}, {"c": 2}]}')).toEqual([])
  expect(repairs('{"a": 1, "b": [{"c": 1, "c": 2}]}')).toEqual(['duplicate-key'])
})
