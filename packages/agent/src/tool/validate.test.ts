import type { Schema } from '@toolglot/core'
import fc from 'fast-check'
import { Check } from 'typebox/schema'
import { describe, expect, test } from 'vitest'
import {
  bombs,
  chain,
  deep,
  deepValue,
  diamond,
  endlessSchemas,
  nastyPatterns,
  nastySchemas,
  schemaGraphs,
  smallValues,
} from '../../../core/test/nasty-schemas.ts'
import { checkArguments } from './check-arguments.ts'
import { schemaProblem, schemaFault } from './check-schema.ts'
import { UnusableSchema } from './schema-document.ts'
import { validate } from './validate.ts'
import { runs, share } from '../../../../tests/helpers/size.ts'

/** True if a value is valid. Undefined if the schema is unusable. */
function verdict(schema: Schema, value: unknown): boolean | undefined {
  try {
    return validate(schema, value).issues.length === 0
  } catch (error) {
    if (error instanceof UnusableSchema) return undefined
    throw error
  }
}

describe("law: the verdict is the same as another validator's", () => {
  function typeboxVerdict(schema: Schema, value: unknown): boolean | undefined {
    try {
      return Check(schema, value)
    } catch (error) {
      if (error instanceof RangeError) return undefined // The schema refers to itself endlessly.
      throw error
    }
  }

  test('on random schemas that refer to themselves and each other', () => {
    let accepted = 0
    fc.assert(
      fc.property(schemaGraphs, smallValues, (schema, value) => {
        // typebox applies unevaluatedProperties to lists.
        fc.pre(!JSON.stringify(schema).includes('unevaluatedProperties'))
        // Unusable schemas are not always detected, because a value may be rejected first.
        fc.pre(schemaFault(schema) === undefined)
        const expected = typeboxVerdict(schema, value)
        if (expected) accepted++
        expect(verdict(schema, value)).toBe(expected)
      }),
      runs(3000),
    )
    expect(accepted).toBeGreaterThan(runs(3000).numRuns / 30)
  })

  test('on random schemas with unevaluated properties', () => {
    const objects = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom(1, 'a', null))
    const flat = fc.record(
      {
        properties: fc.constantFrom({ a: {} }, { b: { type: 'string' } }),
        required: fc.constant(['a']),
      },
      { requiredKeys: ['properties'] },
    )
    const branches = fc.array(flat, { minLength: 1, maxLength: 3 })
    const schemas = fc.record(
      {
        // oxlint-disable-next-line unicorn/no-thenable -- A keyword of JSON Schema.
        ...{ allOf: branches, anyOf: branches, oneOf: branches, if: flat, then: flat, else: flat },
        dependentSchemas: fc.record({ a: flat }),
        unevaluatedProperties: fc.constantFrom<object | boolean>(false, { type: 'string' }),
      },
      { requiredKeys: ['unevaluatedProperties'] },
    )
    fc.assert(
      fc.property(schemas, objects, (schema, value) => {
        expect(verdict(schema, value)).toBe(Check(schema, value))
      }),
      runs(1000),
    )
  })
})

describe('law: the work is bounded by the number of schemas times the number of values', () => {
  const partsIn = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? Object.values(value).reduce((sum: number, part) => sum + 2 + partsIn(part), 1)
      : 1

  test('on random schemas', () => {
    fc.assert(
      fc.property(schemaGraphs, smallValues, (schema, value) => {
        fc.pre(schemaFault(schema) === undefined)
        const { steps } = validate(schema, value)
        // Keywords with lists take one step per entry.
        expect(steps).toBeLessThan(20 * partsIn(schema) * partsIn(value))
      }),
      runs(1000),
    )
  })

  test.each(Object.entries(bombs))(
    'on references that multiply at each level: %s',
    (keyword, schema) => {
      expect(validate(schema, {}).steps).toBeLessThan(1000)
      // With the same schema twice, it is impossible that exactly one matches.
      expect(verdict(schema, {})).toBe(keyword !== 'oneOf')
      expect(validate(schema, 1).issues.length).toBeGreaterThan(0)
    },
  )

  test('on members that multiply at each level', () => {
    const twice = { allOf: [{ $ref: '#' }, { $ref: '#' }] }
    const schema = { type: 'object', properties: { a: twice } }
    expect(validate(schema, deepValue(200, 'object')).steps).toBeLessThan(5000)
  })

  test('larger schemas are rejected', () => {
    expect(() => validate(diamond('anyOf'), {}, 50)).toThrow(
      'needs too much work to check (more than 50 steps). Simplify it',
    )
    const items = { anyOf: Array.from({ length: 1000 }, (_, at) => ({ const: -1 - at })) }
    const many = Array.from({ length: 10_000 }, (_, at) => at)
    expect(() => validate({ items }, many)).toThrow('needs too much work to check')
  })
})

test.each(nastyPatterns)('the pattern %s takes linear time', (pattern, text) => {
  expect(verdict({ pattern }, text)).toBe(false)
  const property = { type: 'object', patternProperties: { [pattern]: false } }
  expect(verdict(property, { [text]: 1 })).toBe(true)
})

describe('a schema that refers to itself', () => {
  const tree: Schema = {
    type: 'object',
    properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
    required: ['name'],
  }

  test.each<[string, Schema]>([
    ['by a pointer', tree],
    ['by its name', { ...tree, $id: 'T', properties: { children: { items: { $ref: 'T' } } } }],
    [
      'by an anchor',
      { ...tree, $anchor: 't', properties: { children: { items: { $ref: '#t' } } } },
    ],
    [
      'dynamically',
      { ...tree, $dynamicAnchor: 't', properties: { children: { items: { $dynamicRef: '#t' } } } },
    ],
  ])('for parts of a value is accepted: %s', (_, schema) => {
    const leaf = { name: 'a', children: [] }
    const good = { name: 'b', children: [leaf, { name: 'c', children: [leaf] }] }
    expect(verdict(schema, good)).toBe(true)
    const bad = { name: 'b', children: [{ name: 'c', children: [{ children: [] }] }] }
    expect(verdict(schema, bad)).toBe(false)
    expect(schemaFault(schema)).toBeUndefined()
  })

  test.each(Object.entries(endlessSchemas))(
    'for the same value is rejected: %s',
    async (_, schema) => {
      const problem = expect.stringContaining('refers to itself endlessly')
      expect(await checkArguments(schema, {})).toEqual({ problems: [problem] })
      expect(schemaFault(schema)).toEqual(problem)
    },
  )
})

test('references that multiply are rejected before they are passed on', () => {
  for (const schema of Object.values(bombs))
    expect(schemaProblem(schema)).toContain('because its references multiply')
})

test.each(share(nastySchemas, 8))(
  '%s: is accepted or rejected without an exception',
  async (_, schema) => {
    for (const args of [
      {},
      { a: 1 },
      { a: { a: [1] }, b: [[]], p0: 'x' },
      deepValue(150, 'object'),
    ])
      expect(await checkArguments(schema, args)).toBeInstanceOf(Object)
    expect(schemaProblem(schema) ?? '').toBeTypeOf('string')
  },
)

test('depth uses no stack', () => {
  expect(verdict({ items: { $ref: '#' } }, deepValue())).toBe(true)
  expect(verdict({ type: 'array', items: { $ref: '#' } }, deepValue())).toBe(false)
  expect(verdict(deep('allOf', 5000), { a: 'x' })).toBe(true)
  expect(verdict(deep('allOf', 5000), { a: 1 })).toBe(false)
  expect(() => validate(deep('allOf'), { a: 'x' })).toThrow('consists of more than 10000 schemas')
  expect(verdict(chain(3000), { a: 1 })).toBe(true)
  expect(verdict({ const: deepValue() }, deepValue())).toBe(true)
  expect(verdict({ uniqueItems: true }, [deepValue(), deepValue()])).toBe(false)
})

test('names of references are resolved inside the document', () => {
  const schema = {
    $id: 'https://example.com/root.json',
    properties: { a: { $ref: 'other.json#/$defs/n' }, b: { $ref: 'other.json#s' } },
    $defs: {
      other: {
        $id: 'other.json',
        $defs: { n: { type: 'number' }, s: { $anchor: 's', $ref: '#/$defs/n' } },
      },
    },
  }
  expect(verdict(schema, { a: 1, b: 1 })).toBe(true)
  expect(verdict(schema, { a: 'x' })).toBe(false)
  expect(verdict(schema, { b: 'x' })).toBe(false)
  expect(() => validate({ $ref: 'https://example.com/x' }, 1)).toThrow(
    'refers to "https://example.com/x", which it does not contain',
  )
  expect(() => validate({ $ref: '#/toString' }, 1)).toThrow('does not contain')
})
