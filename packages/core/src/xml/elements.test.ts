import { describe, expect, test } from 'vitest'
import { parse, protocols } from '../index.ts'
import { type Dialect, elementsOf, membersOf, escaped, unescaped } from './elements.ts'
import { printElements } from '../print/print.ts'

const xml: Dialect = { prefix: '', untyped: 'json', repeated: 'last', entities: true }

function read(text: string, properties?: Record<string, unknown>): unknown {
  const { found, rest } = elementsOf(text, '')
  const schema = properties && { type: 'object', properties }
  return rest === undefined ? membersOf(found, schema, schema, xml) : undefined
}

const string = { type: 'string' }
const numbers = { type: 'array', items: { type: 'number' } }

describe('with a schema', () => {
  test.each<[string, Record<string, unknown>, unknown]>([
    ['<a>1</a>', { a: string }, { a: '1' }],
    ['<a>1</a><b>true</b>', { a: { type: 'integer' }, b: { type: 'boolean' } }, { a: 1, b: true }],
    ['<a><b>x</b></a>', { a: string }, { a: '<b>x</b>' }],
    ['<a>if (x < 1 && <y>) {}</a>', { a: string }, { a: 'if (x < 1 && <y>) {}' }],
    ['<a>1</a><a>2</a>', { a: numbers }, { a: [1, 2] }],
    ['<a><item>1</item><item>2</item></a>', { a: numbers }, { a: [1, 2] }],
    ['<a><n>1</n></a>', { a: numbers }, { a: [1] }],
    ['<a>\none, two\n\nthree\n</a>', { a: { type: 'array' } }, { a: ['one, two', 'three'] }],
    [
      '<a>1, 2</a><b>3\n4</b><c>[5]</c><d> </d>',
      { a: numbers, b: numbers, c: numbers, d: numbers },
      { a: [1, 2], b: [3, 4], c: [5], d: [] },
    ],
    ['<a>one, two</a>', { a: { type: 'array', items: string } }, { a: ['one, two'] }],
    [
      '<a><p>1</p></a>',
      { a: { type: 'array', items: { type: 'object', properties: { p: string } } } },
      { a: [{ p: '1' }] },
    ],
    ['<a>x</a><a>y</a>', { a: string }, { a: 'y' }],
    ['<a><value>2</value></a>', { a: { type: 'number' } }, { a: 2 }],
  ])('%s', (text, properties, value) => {
    expect(read(text, properties)).toEqual(value)
  })
})

test.each<[string, unknown]>([
  ['', {}],
  [' <a/> <b x="y>z" /> ', { a: '', b: '' }],
  ['<a>1</a><b>x</b><c>null</c>', { a: 1, b: 'x', c: null }],
  ['<a>1</a><a>2</a>', { a: [1, 2] }],
  ['<a><b>1</b><c>x</c></a>', { a: { b: 1, c: 'x' } }],
  ['<a><item>x</item></a>', { a: ['x'] }],
  ['<a><a>x</a></a>', { a: { a: 'x' } }],
  ['<a>one <a> two</a>', { a: 'one <a> two' }],
  ['<a><![CDATA[<b>&lt;</b>]]></a>', { a: '<b>&lt;</b>' }],
  ['<a><![CDATA[x]]]]><![CDATA[>y]]></a>', { a: 'x]]>y' }],
  ['<a>&lt;b&gt; &amp;lt;</a>', { a: '<b> &lt;' }],
  ['<__proto__>1</__proto__>', JSON.parse('{"__proto__": 1}')],
])('without a schema: %s', (text, value) => {
  expect(read(text)).toEqual(value)
})

test.each(['x', '<a>', '<a>x', '<a>x</b>', '</a>', '<a>1</a> x', '<a><a><a>x</a>', '< a>x</ a>'])(
  '%j is something else',
  (text) => {
    expect(read(text)).toBeUndefined()
  },
)

test('printed elements are read back', () => {
  const args = { a: '<b>&lt;</b>', b: ['x', 'y'], c: { d: 1, e: [true, null] }, f: '' }
  expect(read(printElements(args, xml, '\n'))).toEqual(args)
  expect(unescaped(escaped('a &amp;lt; <b>'))).toBe('a &amp;lt; <b>')
})

test.each([
  ['elements', '<a>1</a>'.repeat(50_000)],
  ['levels', `${'<a>'.repeat(50_000)}${'</a>'.repeat(50_000)}`],
  ['openings', '<a>'.repeat(100_000)],
  ['other openings', Array.from({ length: 50_000 }, (_, i) => `<a${i}><a${i}></a${i}>`).join('')],
  ['quotes', `<a ${'"'.repeat(200_001)}>`],
  ['brackets', '<'.repeat(200_000)],
])('many %s', (_, text) => {
  expect(() => read(text)).not.toThrow()
})

test('tags in place of YAML: whitespace around a value on one line is dropped', () => {
  const text = '<ping>\n<a> one </a>\n<b>\n  two\n  three</b>\n</ping>'
  const options = { protocols: protocols['yaml-xml'], tools: [{ name: 'ping' }] }
  expect(parse(text, options).calls).toMatchObject([{ args: { a: 'one', b: '\n  two\n  three' } }])
})

test.each(['', '\n', '<', '<b', '</'])(
  'a bare name with tags is incomplete if cut off in %j',
  (rest) => {
    const parameters = { type: 'object', properties: { a: string, b: string } }
    const tools = [{ name: 'ping', parameters }]
    for (const finish of ['length', 'stop'] as const) {
      const options = { protocols: protocols['morph-xml'], tools, finish }
      expect(parse(`ping\n<a>x</a>${rest}`, options).calls).toMatchObject([
        { args: { a: 'x' }, complete: finish === 'stop' },
      ])
    }
  },
)

test.each([
  ['', [{ args: { b: 'w' }, repairs: ['missing-closer'] }]],
  ['</invok>', []],
  ['<invoke>', []],
])('elements closed by %j do not affect the next call', (closer, expected) => {
  const mark = ']<]minimax[>['
  const call = (close: string): string =>
    `<tool_call>\n<invoke name="ping"><b>w</b>${close}\n</tool_call>\n`.replaceAll('<', `${mark}<`)
  const text = call(closer) + call('</invoke>')
  expect(parse(text, { protocols: protocols['minimax-m3'] }).calls).toMatchObject([
    ...expected,
    { args: { b: 'w' }, complete: true, repairs: [] },
  ])
})
