import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { details } from '../details/details.ts'
import { parse, type ParserOptions, printCall, type ProtocolId, protocols } from '../index.ts'
import type { Schema } from '../protocol.ts'
import { coerceValue } from './coerce.ts'

const parameters: Schema = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    filePath: { type: 'string' },
    days: { type: 'integer' },
    'dry-run': { type: 'boolean' },
    dry_run: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'integer' } },
    options: { type: 'object', properties: { maxCount: { type: 'integer' } } },
    headers: {
      type: 'object',
      properties: { accept: { type: 'string' } },
      additionalProperties: { type: 'string' },
    },
  },
}
const closed: Schema = { ...parameters, additionalProperties: false }

const tools = (schema: Schema) => [{ name: 'ping', parameters: schema }]

function read(args: Record<string, unknown>, schema: Schema, id: ProtocolId = 'hermes') {
  const text = printCall(protocols[id], { name: 'ping', args })
  const options: ParserOptions = { protocols: protocols[id], tools: tools(schema), details }
  const { calls } = parse(text, options)
  expect(calls).toHaveLength(1)
  return calls[0]!
}

/** One protocol for each notation of arguments. */
const FORMS: readonly ProtocolId[] = [
  ...(['hermes', 'qwen3-coder', 'pythonic', 'gemma4', 'tool-yaml', 'morph-xml', 'vcp'] as const),
  ...(['minimax-m3', 'glm', 'yaml-xml', 'kimi-k3'] as const),
]

describe.each(FORMS)('in %s', (id) => {
  test.each([{ City: 'Paris' }, { CITY: 'Paris' }, { file_path: 'a.ts' }, { 'File-Path': 'a.ts' }])(
    'a near miss is renamed: %j',
    (args) => {
      const [key] = Object.keys(args)
      const meant = key!.toLowerCase() === 'city' ? 'city' : 'filePath'
      for (const schema of [parameters, closed]) {
        const call = read(args, schema, id)
        expect(call.args).toEqual({ [meant]: Object.values(args)[0] })
        expect(call.repairs).toEqual(['alias-key'])
        expect(call.details).toMatchObject([{ name: 'alias-key' }])
        expect(call.details![0]!.became).toContain(meant)
      }
    },
  )

  test('the value gets the type of the intended argument', () => {
    expect(read({ Days: '3', City: '4' }, parameters, id).args).toEqual({ days: 3, city: '4' })
  })

  test('beside the meant argument it is another key', () => {
    for (const args of [
      { City: 'a', city: 'b' },
      { city: 'b', City: 'a' },
    ]) {
      expect(read(args, parameters, id).args).toEqual({ City: 'a', city: 'b' })
      const call = read(args, closed, id)
      expect(call.args).toEqual({ city: 'b' })
      expect(call.repairs).toEqual(['unknown-key'])
    }
  })

  test('two near misses of one argument are not renamed', () => {
    const args = { City: 'a', CITY: 'b' }
    expect(read(args, parameters, id).args).toEqual(args)
    expect(read(args, closed, id).args).toEqual({})
  })

  test('a near miss of two arguments is not renamed', () => {
    expect(read({ dryRun: 'true' }, parameters, id).repairs).not.toContain('alias-key')
    expect(read({ dryRun: 'true' }, closed, id).args).toEqual({})
  })

  test('a dropped key is named', () => {
    const { args, repairs, details: where } = read({ city: 'a', town: 'b' }, closed, id)
    expect([args, repairs]).toEqual([{ city: 'a' }, ['unknown-key']])
    expect(where!.map(({ was }) => was.replace(/["']/g, ''))).toEqual(['town'])
  })
})

test('without repairs, keys are unchanged', () => {
  const text = printCall(protocols.hermes, { name: 'ping', args: { City: 'a' } })
  const { calls } = parse(text, { protocols: 'hermes', tools: tools(closed), repairs: false })
  expect(calls).toMatchObject([{ args: { City: 'a' }, repairs: [] }])
})

test('near misses inside values are renamed, but not in a map', () => {
  const call = read({ options: { max_count: '5' }, headers: { Accept: 'x' } }, parameters)
  expect(call.args).toEqual({ options: { maxCount: 5 }, headers: { Accept: 'x' } })
  expect(call.repairs).toEqual(['alias-key', 'coerced'])
  expect(call.details!.map(({ was, became }) => [was, became])).toEqual([
    ['"max_count"', '"maxCount"'],
    ['"5"', '5'],
  ])
})

test('unsafe keys are never renamed', () => {
  const schema = { properties: { proto: {}, Constructor: {} } }
  const given = JSON.parse('{"__proto__": 1, "constructor": 2}') as object
  expect(coerceValue(given, schema, schema)).toBe(given)
})

test('many near misses take linear time', () => {
  const counts = { read: 0 }
  const properties = new Proxy({ city: {} } as Record<string, unknown>, {
    ownKeys(target) {
      counts.read++
      return Reflect.ownKeys(target)
    },
  })
  const given = Object.fromEntries(
    Array.from({ length: 2000 }, (_, i) => ['_'.repeat(i + 1) + 'City', i]),
  )
  const schema = { properties }
  expect(coerceValue(given, schema, schema)).toBe(given)
  expect(counts.read).toBeLessThan(10)
})

describe('a repeated argument', () => {
  const parameter = (key: string, value: string): string =>
    `<parameter=${key}>\n${value}\n</parameter>\n`
  const readTags = (...values: (readonly [key: string, value: string])[]) => {
    const tags = values.map(([key, value]) => parameter(key, value)).join('')
    const text = `<tool_call>\n<function=ping>\n${tags}</function>\n</tool_call>`
    const [call] = parse(text, { protocols: 'qwen3-coder', tools: tools(parameters) }).calls
    return [call?.args, call?.repairs]
  }

  test('is collected if the schema declares a list', () => {
    expect(readTags(['tags', '1'], ['city', 'x'], ['tags', '2'])).toEqual([
      { city: 'x', tags: [1, 2] },
      ['repeated-argument'],
    ])
  })

  test('is collected under a near miss of its name', () => {
    expect(readTags(['Tags', '1'], ['Tags', '2'])).toEqual([
      { tags: [1, 2] },
      ['repeated-argument', 'alias-key'],
    ])
  })

  test('is unchanged if present once', () => {
    expect(readTags(['tags', '[1, 2]'])).toEqual([{ tags: [1, 2] }, []])
    expect(readTags(['tags', 'x'])).toEqual([{ tags: 'x' }, ['mistyped']])
  })

  test('is a duplicate if one is a whole list, or without a list in the schema', () => {
    expect(readTags(['tags', '[1]'], ['tags', '2'])[1]).toContain('duplicate-key')
    expect(readTags(['tags', '1'], ['tags', '[2]'])[1]).toContain('duplicate-key')
    expect(readTags(['city', '1'], ['city', '2'])[1]).toEqual(['duplicate-key'])
  })

  test('is a duplicate in JSON', () => {
    const text = '<tool_call>{"name": "ping", "arguments": {"tags": 1, "tags": 2}}</tool_call>'
    const [call] = parse(text, { protocols: 'hermes', tools: tools(parameters) }).calls
    expect(call?.repairs).toContain('duplicate-key')
  })
})

test('the same arguments result from keys in any order and form', () => {
  const key = fc.constantFrom('city', 'City', 'CITY', 'file_path', 'filePath', 'town', 'dryRun')
  const keys = fc.uniqueArray(key, { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(
      keys,
      fc.constantFrom(parameters, closed),
      fc.constantFrom(...FORMS),
      (all, schema, id) => {
        const args = Object.fromEntries(all.map((one) => [one, `value of ${one}`]))
        const back = Object.fromEntries(Object.entries(args).reverse())
        const expected = coerceValue(args, schema, schema)
        expect(read(args, schema, id).args).toEqual(expected)
        expect(read(back, schema, id).args).toEqual(expected)
      },
    ),
    { numRuns: 300 },
  )
})
