import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { counted } from '../../../../tests/helpers/counted.ts'
import { exampleArguments } from './prompt-preview.tsx'
import { parameterRows, typeText } from './parameter-rows.ts'

const type = (schema: unknown): string => typeText(schema, {})

describe('types', () => {
  test.each<[unknown, string]>([
    [{ type: 'string' }, 'string'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ type: 'array', items: { type: 'integer' } }, 'integer[]'],
    [{ items: { type: ['string', 'null'] } }, '(string | null)[]'],
    [{ type: 'array' }, 'any[]'],
    [{ prefixItems: [{ type: 'string' }, true] }, '[string, any]'],
    [{ properties: {} }, 'object'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, '{ [name]: number }'],
    [{ enum: ['a', 'b', 1, null] }, 'string | number | null'],
    [{ const: 'x' }, '"x"'],
    [{ oneOf: [{ type: 'string' }, { type: 'string' }, { type: 'boolean' }] }, 'string | boolean'],
    [{ allOf: [{ type: 'string' }, { minLength: 3 }] }, 'string'],
    [{ $ref: 'https://example.com/thing' }, 'thing'],
    [{}, 'any'],
    [true, 'any'],
    [false, 'never'],
    [null, 'any'],
  ])('%j', (schema, text) => {
    expect(type(schema)).toBe(text)
  })
})

describe('parameters', () => {
  test('members follow their parameter, with all their constraints', () => {
    const schema = {
      type: 'object',
      required: ['filter'],
      properties: {
        filter: { $ref: '#/$defs/filter', description: 'Which' },
        limit: { type: 'integer', minimum: 1, maximum: 9007199254740991, default: 5 },
        size: { type: 'number', minimum: 1, maximum: 20 },
      },
      $defs: {
        filter: {
          type: 'object',
          description: 'Hidden by the other',
          properties: {
            tags: { type: 'array', items: { enum: ['a', 'b'] }, maxItems: 3 },
            inner: { anyOf: [{ type: 'string' }, { properties: { deep: { pattern: '^a' } } }] },
          },
        },
      },
    }
    const { rows, isCut } = parameterRows(schema)
    expect(isCut).toBe(false)
    expect(rows.map(({ depth, name, type: text }) => [depth, name, text])).toEqual([
      [0, 'filter', 'object'],
      [1, 'tags', 'string[]'],
      [1, 'inner', 'string | object'],
      [2, 'deep', 'any'],
      [0, 'limit', 'integer'],
      [0, 'size', 'number'],
    ])
    expect(rows[0]).toMatchObject({ about: 'Which', isRequired: true })
    expect(rows[1]).toMatchObject({
      choices: ['"a"', '"b"'],
      limits: [{ of: 'items', text: '≤ 3' }],
    })
    expect(rows[3]).toMatchObject({ limits: [{ text: '/^a/' }] })
    expect(rows[4]).toMatchObject({ default: '5', limits: [{ text: '≥ 1' }], isRequired: false })
    expect(rows[5]).toMatchObject({ limits: [{ text: '1–20' }] })
  })

  test('ends for a recursive schema', () => {
    const { value: node, reads } = counted({
      properties: {
        next: { $ref: '#' },
        all: { anyOf: [{ $ref: '#/$defs/loop' }, { $ref: '#/$defs/loop' }] },
      },
      $defs: { loop: { anyOf: [{ $ref: '#/$defs/loop' }, { $ref: '#/$defs/loop' }] } },
    })
    expect(parameterRows(node).rows.length).toBeLessThan(20)
    expect(exampleArguments(node)).toBeDefined()
    expect(reads()).toBeLessThan(20_000)
  })

  test('truncates thousands of parameters', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 5000 }, (_, at) => [`p${at}`, { enum: Array(1000).fill('x') }]),
    )
    const { rows, isCut } = parameterRows({ properties })
    expect([rows.length, isCut, rows[0]!.choices.length]).toEqual([150, true, 24])
  })

  test('law: any JSON works, and every row has its own id', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const schema = { properties: { a: one, b: { items: other, anyOf: one } }, required: other }
        const { rows } = parameterRows(schema)
        expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
        JSON.stringify(exampleArguments(schema))
      }),
    )
  })
})

test('an example has the required parameters, or else the first', () => {
  expect(
    exampleArguments({
      properties: {
        path: { type: 'string' },
        mode: { enum: ['fast', 'slow'] },
        count: { type: 'integer', minimum: 5 },
        parts: {
          type: 'array',
          items: { type: 'object', properties: { on: { type: 'boolean' } } },
        },
        other: { type: 'string' },
      },
      required: ['path', 'mode', 'count', 'parts'],
    }),
  ).toEqual({ path: 'value', mode: 'fast', count: 5, parts: [{ on: true }] })
  expect(exampleArguments({ properties: { a: { default: 3 }, b: {} } })).toEqual({ a: 3 })
  expect(exampleArguments('nonsense')).toEqual({})
})
