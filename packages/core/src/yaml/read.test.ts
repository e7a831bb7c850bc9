import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse, protocols } from '../index.ts'
import { printYaml } from '../print/print.ts'
import { readYaml } from './read.ts'

/** To repeat a run or try more cases: `LAWS_SEED=123 LAWS_RUNS=100000`. */
const seed = process.env['LAWS_SEED'] ? { seed: Number(process.env['LAWS_SEED']) } : {}
const numRuns = Number(process.env['LAWS_RUNS'] ?? 3000)

function read(text: string): unknown {
  const entries = readYaml(text.split('\n'))
  return entries && Object.fromEntries(entries.map(({ key, value }) => [key, value]))
}

type Row = readonly [text: string, value: unknown]

const scalars: Row[] = [
  ['a: x', { a: 'x' }],
  ['a:   two words  ', { a: 'two words' }],
  ['a: 1\nb: -2.5\nc: 0', { a: 1, b: -2.5, c: 0 }],
  [
    'a: 007\nb: 1e3\nc: 0x10\nd: 1_000\ne: +1',
    { a: '007', b: '1e3', c: '0x10', d: '1_000', e: '+1' },
  ],
  ['a: 12345678901234567890', { a: '12345678901234567890' }],
  ['a: 1e+21\nb: 5e-324\nc: 1234567890123456', { a: 1e21, b: 5e-324, c: 1234567890123456 }],
  [
    'a: true\nb: false\nc: True\nd: False\ne: null',
    { a: true, b: false, c: true, d: false, e: null },
  ],
  ['a: yes\nb: off\nc: truex', { a: 'yes', b: 'off', c: 'truex' }],
  ['a:', { a: null }],
  ['a:\nb: 1', { a: null, b: 1 }],
  ['a: 2024-01-01\nb: 12:30\nc: x:y', { a: '2024-01-01', b: '12:30', c: 'x:y' }],
  ['a: https://x.y/z?q=1\nb: C:\\dir', { a: 'https://x.y/z?q=1', b: 'C:\\dir' }],
  ['a: x: y', { a: 'x: y' }],
  ['a: -x\nb: @y\nc: `z`\nd: *', { a: '-x', b: '@y', c: '`z`', d: '*' }],
]

const quoted: Row[] = [
  ['a: "x\\n\\u00e9 \\"y\\""', { a: 'x\né "y"' }],
  ["a: 'it''s'\nb: ''\nc: ''''", { a: "it's", b: '', c: "'" }],
  ['a: "1"\nb: \'true\'', { a: '1', b: 'true' }],
  ['a: "x # y: z"', { a: 'x # y: z' }],
  ['a: "x" # why\nb: \'y\' # why', { a: 'x', b: 'y' }],
  ['a: ["fix #1", "x"]\nb: {"c": "d # e"} # why', { a: ['fix #1', 'x'], b: { c: 'd # e' } }],
  ["a: \"x\n  y\\\"\n  z\"\nb: 'x\n  it''s'", { a: 'x y" z', b: "x it's" }],
  ['"a b": 1\n\'c\': 2\n"d: e": 3', { 'a b': 1, c: 2, 'd: e': 3 }],
  ['a: [1, "b", true]\nb: {"c": [1]}', { a: [1, 'b', true], b: { c: [1] } }],
  ['a: [x, y]\nb: {x: 1}', { a: '[x, y]', b: '{x: 1}' }],
]

const blocks: Row[] = [
  ['a: |\n  x\n   y\n\n  z\nb: 1', { a: 'x\n y\n\nz\n', b: 1 }],
  ['a: |-\n  x\n  y\n', { a: 'x\ny' }],
  ['a: >\n  x\n  y\n', { a: 'x y\n' }],
  ['a: >-\n  x\n  y', { a: 'x y' }],
  ['a: >-\n  x\n    y\n  z\n\n  w', { a: 'x\n  y\nz\nw' }],
  ['a: |+\n  x\n\nb: 1', { a: 'x\n\n', b: 1 }],
  ['a: |\n\n  x', { a: '\nx\n' }],
  ['a: |\n  # no comment\n  k: v\n  - "q"\n  \ttab', { a: '# no comment\nk: v\n- "q"\n\ttab\n' }],
  ['a: | # why\n  x', { a: 'x\n' }],
  ['a: |\n  x\n# comment\nb: 1', { a: 'x\n', b: 1 }],
  ['a: |\n  \tx\n  # y\n  \u3000z', { a: '\tx\n# y\n\u3000z\n' }],
  ['a: |\nb: 1', { a: '', b: 1 }],
]

const nested: Row[] = [
  ['a:\n  b:\n    c: 1\n  d: 2\ne: 3', { a: { b: { c: 1 }, d: 2 }, e: 3 }],
  ['a:\n  - 1\n  - x\n  -\n', { a: [1, 'x', null] }],
  ['a:\n- 1\n- 2\nb: 3', { a: [1, 2], b: 3 }],
  ['a:\n  - x: 1\n    y: 2\n  - x: 3\n', { a: [{ x: 1, y: 2 }, { x: 3 }] }],
  ['a:\n  -\n    x: 1\n  - "y: z"\n  - http://w', { a: [{ x: 1 }, 'y: z', 'http://w'] }],
  [
    'a:\n  - b:\n      - c: 1\n        d: 2\n      - e\n    f: 3',
    { a: [{ b: [{ c: 1, d: 2 }, 'e'], f: 3 }] },
  ],
  ['a:\n  - |\n    x\n    y\n  - >-\n    z', { a: ['x\ny\n', 'z'] }],
  ['a:\n  - {"b": 1}\n  - [1]', { a: [{ b: 1 }, [1]] }],
]

const comments: Row[] = [
  ['# first\na: x # why\n\n  # between\nb: y#z\nc: # none\n', { a: 'x', b: 'y#z', c: null }],
  ['a: [1] # list\nb: null # word', { a: [1], b: null }],
  ['', {}],
  ['# only', {}],
  ['  a: 1\n\n\n  b: 2\n\n', { a: 1, b: 2 }],
]

describe.each(Object.entries({ scalars, quoted, blocks, nested, comments }))('%s', (_, rows) => {
  test.each(rows)('%j', (text, value) => {
    expect(read(text)).toEqual(value)
  })
})

test.each([
  ...[
    'x',
    '- 1',
    'a:1',
    ': 1',
    '? a\n: b',
    '---\na: 1',
    'a: "open',
    "a: 'open",
    'a: "x" y',
    '"a: 1',
  ],
  ...[
    'a: 1\n   b: 2',
    '  a: 1\n b: 2',
    'a: x\n  y',
    'a:\n  b: 1\n c: 2',
    'a:\n  - 1\n  x',
    'a:\n  -1',
    'a: |\n   x\n  y',
    'a: >x\n  y',
    'a: | grep',
  ],
])('%j is not a mapping', (text) => {
  expect(readYaml(text.split('\n'))).toBeUndefined()
})

test('a plain scalar may continue, if that is enabled', () => {
  const text = 'a: x\n  y: z'.split('\n')
  expect(readYaml(['a: x', '  y', '  z', 'b: 1'], { folds: true })).toMatchObject([
    { key: 'a', value: 'x y z' },
    { key: 'b', value: 1 },
  ])
  expect(readYaml(text, { folds: true })).toBeUndefined()
})

test('a repeated key is returned twice', () => {
  expect(readYaml(['a: 1', 'a: 2'])).toMatchObject([
    { key: 'a', value: 1 },
    { key: 'a', value: 2 },
  ])
})

test('hostile keys are data', () => {
  const value = read('__proto__:\n  polluted: 1\nb:\n  __proto__: 1\n  constructor: 2') as object
  expect(Object.keys(value)).toEqual(['__proto__', 'b'])
  expect(Object.keys((value as { b: object }).b)).toEqual(['__proto__', 'constructor'])
  expect('polluted' in {}).toBe(false)
})

describe('hostile input', () => {
  const many = 100_000
  const lines = (count: number, line: (i: number) => string): string[] =>
    Array.from({ length: count }, (_, i) => line(i))

  test.each<[string, string[], boolean]>([
    ['lines', lines(many, (i) => `k${i}: ${i}`), true],
    ['items', ['a:', ...lines(many, () => '  - x')], true],
    ['mappings in a list', ['a:', ...lines(many, () => '  - x: 1')], true],
    ['lines in a block', ['a: |', ...lines(many, () => '  x')], true],
    ['blank lines', ['a: 1', ...lines(many, () => '')], true],
    ['comments', ['a: 1', ...lines(many, () => '   # x')], true],
    ['blank lines in a block', ['a: |', ...lines(many, () => '    ')], true],
    ['quotes', [`a: '${"''".repeat(many)}'`], true],
    ['quoted lines', ['a: "x', ...lines(many, () => '  \\"')], false],
    ['spaces in a line', [`a: x${' '.repeat(many)}#`], true],
    ['colons', [`a: ${':'.repeat(many)}`], true],
    ['dashes', ['a:', `  ${'- '.repeat(many)}`], true],
    ['levels', lines(1000, (i) => `${' '.repeat(i)}a:`), false],
    ['levels of lists', lines(1000, (i) => `${' '.repeat(i * 2)}- a:`), false],
    ['spaces before keys', lines(1000, (i) => `${' '.repeat(1000 - i)}a: 1`), false],
    ['brackets', [`a: ${'['.repeat(many)}`], true],
    ['tabs', lines(many, () => '\t'), true],
  ])('many %s', (_, text, readable) => {
    expect(readYaml(text) !== undefined).toBe(readable)
  })
})

test('any text yields a mapping or undefined', () => {
  const pieces = ['a', ':', ': ', '- ', '-', '\n', '  ', '    ', ...'|>"\'#[{1\t\\'.split('')]
  const text = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 3 })))
  fc.assert(
    fc.property(text, (parts) => {
      const entries = readYaml(parts.join('').split('\n'))
      expect(entries === undefined || Array.isArray(entries)).toBe(true)
    }),
    { numRuns, ...seed },
  )
})

test('printed YAML is read back', () => {
  const key = fc.stringMatching(/^[\w.-]{1,8}$/)
  const value = fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue())
  fc.assert(
    fc.property(fc.dictionary(key, value, { noNullPrototype: true }), (args) => {
      const printed = read(printYaml(args, '  '))
      expect(JSON.stringify(printed)).toBe(JSON.stringify(args))
    }),
    { numRuns, ...seed },
  )
})

describe('in a reply', () => {
  const options = { protocols: protocols['tool-yaml'], tools: [{ name: 'ping' }] }
  const text = 'TOOL: ping\nARGS:\n  a: x y\n  b: |\n    one\n    two\n  c: [1]\n'

  test('a reply cut off by a limit is incomplete if it may continue', () => {
    for (let i = 0; i <= text.length; i++) {
      const { calls } = parse(text.slice(0, i), { ...options, finish: 'length' })
      expect(calls.filter(({ complete }) => complete)).toEqual([])
    }
  })

  test('ends with the first unindented line', () => {
    const reply = parse(`${text}Done.`, { ...options, finish: 'length' })
    expect(reply.text).toBe('Done.')
    expect(reply.calls).toMatchObject([
      { args: { a: 'x y', b: 'one\ntwo\n', c: [1] }, complete: true },
    ])
  })

  test('the schema decides the type of a plain scalar', () => {
    const properties = { a: { type: 'string' }, b: { type: 'integer' }, c: { type: 'boolean' } }
    const tools = [{ name: 'ping', parameters: { type: 'object', properties } }]
    const { calls } = parse('TOOL: ping\nARGS:\n  a: 1.10\n  b: 2\n  c: "true"\n', {
      ...options,
      tools,
    })
    expect(calls).toMatchObject([{ args: { a: '1.10', b: 2, c: true } }])
  })
})
