import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../../tests/helpers/size.ts'
import { JsonScanner, MAX_DEPTH } from './scanner.ts'

/** To repeat a run or try more cases: `LAWS_SEED=123 LAWS_RUNS=100000`. */
const seed = process.env['LAWS_SEED'] ? { seed: Number(process.env['LAWS_SEED']) } : {}
const { numRuns } = runs(3000)

interface Scanned {
  why: JsonScanner['why']
  state: JsonScanner['state']
  /** The number of characters read. */
  to: number
  /** The text passed to the sink. */
  out: string
  keys: number
}

/** Scans a whole value in chunks. */
function scan(chunks: readonly string[]): Scanned {
  const json = new JsonScanner(0)
  let out = ''
  let to = 0
  json.sink = (text) => (out += text)
  for (const chunk of chunks) {
    if (json.why !== 'more') break
    to += json.scan(chunk, 0, chunk.length)
  }
  return { why: json.why, state: json.state, to, out, keys: json.keys }
}

function accepts(text: string): boolean {
  const { why, to } = scan([text])
  return why === 'done' && text.slice(to).trim() === ''
}

test.each([
  '{}',
  ' { \n\t } ',
  '{"a" : [ 1 , -2.5e+3 , true , false , null ] }',
  '{"a": {"b": {}}, "c": [[], {}]}',
  '{"a": "\\" \\\\ \\/ \\b\\f\\n\\r\\t \\u00e9"}',
  '{"": "", "\\"": "}]"}',
  '{"a": "\ud800", "\udc00": "\u{1f600}"}',
  '{"a": 1, "a": 2}',
])('reads %j', (text) => {
  const { why, out } = scan([text])
  expect(why).toBe('done')
  expect(JSON.parse(out)).toEqual(JSON.parse(text))
})

test.each([
  ['{"a": 01}', 'value', 8],
  ['{"a": 1.}', 'value', 8],
  ['{"a": +1}', 'value', 8],
  ['{"a": NaN}', 'value', 9],
  ['{"a": nul}', 'value', 9],
  ['{"a": True}', 'value', 10],
  ["{'a': 1}", 'first-key', 1],
  ['{a: 1}', 'first-key', 1],
  ['{,}', 'first-key', 1],
  ['{"a" 1}', 'colon', 5],
  ['{"a": }', 'value', 6],
  ['{"a": 1,}', 'key', 8],
  ['{"a": [1,]}', 'item', 9],
  ['{"a": [,1]}', 'first-item', 7],
  ['{"a": 1 "b": 2}', 'after', 8],
  ['{"a": [1}', 'after', 8],
  ['{"a": "x\ny"}', 'string', 8],
  ['{"a\ny": 1}', 'key-string', 3],
  ['{"a": "\\x"}', 'escape', 8],
  ['{"a": "\\u00g0"}', 'escape', 11],
  ['{"a": /* 1 */ 1}', 'value', 6],
])('stops in %j', (text, state, to) => {
  expect(scan([text])).toMatchObject({ why: 'stop', state, to })
})

test.each([
  '',
  ' ',
  '{',
  '{"a',
  '{"a": "\\',
  '{"a": "\\u00',
  '{"a": tru',
  '{"a": 1',
  '{"a": [{}',
  '{"a": "x"',
])('waits for more text after %j', (text) => {
  expect(scan([text])).toMatchObject({ why: 'more', to: text.length })
})

test('does not read past the end of the value', () => {
  expect(scan(['{"a": 1}} {"b": 2}'])).toMatchObject({ why: 'done', to: 8 })
})

test('stops at each watched key and outputs only requested values', () => {
  const text = '{"a": 1, "b": {"c": "}", "d": [{"e": 2}]}, "f": 3} '
  const json = new JsonScanner(2)
  const seen: [string, number][] = []
  let out = ''
  for (let at = 0; json.why !== 'done';) {
    at = json.scan(text, at, text.length)
    if (json.why !== 'key') continue
    seen.push([json.key, json.depth])
    if (json.key === 'd') json.sink = (piece) => (out += piece)
  }
  expect(seen).toEqual([
    ['a', 1],
    ['b', 1],
    ['c', 2],
    ['d', 2],
    ['f', 1],
  ])
  expect(out).toBe('[{"e":2}]')
  expect(json.keys).toBe(6)
})

test('compares keys by their values, not by their spelling', () => {
  const json = new JsonScanner(1)
  json.scan('{"\\u006eame": 1}', 0, 16)
  expect(json.key).toBe('name')
})

describe('depth', () => {
  const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

  test('the maximum depth is allowed', () => {
    expect(scan([nested(MAX_DEPTH)])).toMatchObject({ why: 'done' })
  })

  test.each([nested(MAX_DEPTH + 1), nested(1_000_000), `{"a":${'['.repeat(1_000_000)}`])(
    'greater depth is rejected (case %#)',
    (text) => {
      const json = new JsonScanner(0)
      json.scan(text, 0, text.length)
      expect(json).toMatchObject({ why: 'stop', tooDeep: true, depth: MAX_DEPTH })
    },
  )
})

describe('arbitrary JSON', () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true })
  const text = fc
    .tuple(object, fc.constantFrom(undefined, ' ', '\n\t'))
    .map(([value, space]) => JSON.stringify(value, null, space))
  const mutated = fc
    .tuple(
      text,
      fc.nat(),
      fc.nat({ max: 2 }),
      fc.constantFrom(...'{}[]",:\\\n0-.eu/ '.split(''), ''),
    )
    .map(([json, from, dropped, inserted]) => {
      const at = from % (json.length + 1)
      return json.slice(0, at) + inserted + json.slice(at + dropped)
    })

  test('is read as in JSON.parse', () => {
    fc.assert(
      fc.property(text, (json) => {
        const { why, out } = scan([json])
        expect(why).toBe('done')
        expect(JSON.parse(out)).toEqual(JSON.parse(json))
      }),
      { numRuns, ...seed },
    )
  })

  test('is accepted or rejected as in JSON.parse', () => {
    fc.assert(
      fc.property(mutated, (json) => {
        fc.pre(json.trimStart().startsWith('{'))
        expect(accepts(json)).toBe(parses(json))
      }),
      { numRuns, ...seed },
    )
  })

  test('gives the same result in any chunks', () => {
    fc.assert(
      fc.property(mutated, fc.array(fc.integer({ min: 1, max: 6 })), (json, sizes) => {
        const chunks: string[] = []
        let at = 0
        for (const size of [...sizes, json.length]) {
          chunks.push(json.slice(at, at + size))
          at += size
        }
        expect(scan(chunks)).toEqual(scan([json]))
      }),
      { numRuns, ...seed },
    )
  })
})

function parses(json: string): boolean {
  try {
    JSON.parse(json)
    return true
  } catch {
    return false
  }
}
