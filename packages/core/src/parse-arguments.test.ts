import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { details } from './details/details.ts'
import { parse, parseArguments, protocols } from './index.ts'

const schema = {
  type: 'object',
  properties: {
    filePath: { type: 'string' },
    limit: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
  },
}

test.each<[string, Record<string, unknown>, string[]]>([
  ['{"filePath": "a", "limit": 1}', { filePath: 'a', limit: 1 }, []],
  ["{'filePath': 'a',}", { filePath: 'a' }, ['single-quotes', 'trailing-comma']],
  ['{"limit": "1"}', { limit: 1 }, ['coerced']],
  ['{"FilePath": "a"}', { filePath: 'a' }, ['alias-key']],
  ['```json\n{"limit": 1}\n```', { limit: 1 }, ['fence']],
  ['```\n{"limit": 1}\n```\n', { limit: 1 }, ['fence']],
  ['Here it is:\n\n```json\n{"limit": 1}\n```\nDone.', { limit: 1 }, ['fence']],
  ['```json\n{"limit": 1}', { limit: 1 }, ['fence']],
  ['"{\\"limit\\": 1}"', { limit: 1 }, []],
  ['{"limit": 1}}', { limit: 1 }, ['extra-bracket']],
  ['null', {}, ['null-arguments']],
])('%j', (text, args, repairs) => {
  expect(parseArguments(text, schema)).toEqual({ args, repairs, complete: true })
})

test.each<[string, Record<string, unknown>]>([
  ['{"filePath": "a", "limit": 1', { filePath: 'a' }],
  ['{"filePath": "a", "limit"', { filePath: 'a' }],
  ['{"filePath": "a', {}],
  ['```json\n{"filePath": "a", "ta', { filePath: 'a' }],
  ['{', {}],
])('%j is not complete', (text, args) => {
  const read = parseArguments(text, schema)
  expect(read?.complete).toBe(false)
  expect(read?.args).toMatchObject(args)
})

test.each(['', 'no', '[1]', '1', '{"a": 1} {"b": 2}', '{"a": 1} and more', '"text"'])(
  '%j is not one object',
  (text) => {
    expect(parseArguments(text, schema)).toBeUndefined()
  },
)

test('without repairs, only valid arguments are read', () => {
  expect(parseArguments('{"a": 1}', undefined, { repairs: false })?.args).toEqual({ a: 1 })
  expect(parseArguments('{"a": 1,}', undefined, { repairs: false })?.complete).not.toBe(true)
})

test('details give the places of repairs', () => {
  const text = '```json\n{"File_Path": "a"}\n```'
  const read = parseArguments(text, schema, { details })
  expect(read?.details).toMatchObject([
    { name: 'alias-key', was: '"File_Path"', became: '"filePath"' },
  ])
  for (const { span, was } of read!.details!) expect(text.slice(...span)).toBe(was)
})

test('invalid inputs throw', () => {
  expect(() => parseArguments(undefined as never)).toThrow(TypeError)
})

describe('laws', () => {
  const piece = fc.constantFrom(...'{}[]"\',:a1'.split(''), '```', '\\', '\n', 'null')
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    fc.array(piece).map((parts) => parts.join('')),
  )

  test('never throws for any text', () => {
    fc.assert(
      fc.property(text, (given) => {
        parseArguments(given, schema)
        parseArguments(given)
      }),
      { numRuns: 2000 },
    )
  })

  test('arguments equal those of a call', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }), (args) => {
        const json = JSON.stringify(args)
        const call = `<tool_call>{"name": "ping", "arguments": ${json}}</tool_call>`
        const tools = [{ name: 'ping', parameters: schema }]
        const [expected] = parse(call, { protocols: protocols.hermes, tools }).calls
        const read = parseArguments(json, schema)
        expect(read?.args).toEqual(expected?.args)
        expect(read?.repairs).toEqual(expected?.repairs)
      }),
      { numRuns: 500 },
    )
  })

  test('a prefix is incomplete and yields no wrong values', () => {
    const whole = '{"filePath": "a", "limit": 12, "tags": ["x", "y"]}'
    for (let length = 1; length < whole.length; length++) {
      const read = parseArguments(whole.slice(0, length), schema)
      expect(read?.complete).toBe(false)
      for (const [key, value] of Object.entries(read!.args))
        expect(value).toEqual((JSON.parse(whole) as Record<string, unknown>)[key])
    }
  })
})
