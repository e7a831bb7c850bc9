import fc from 'fast-check'
import { expect, test } from 'vitest'
import { counted } from '../../../../../tests/helpers/counted.ts'
import { nastySchemas } from '../../../../core/test/nasty-schemas.ts'
import { exampleArguments } from '../../tools/prompt-preview.tsx'
import { parameterRows } from '../../tools/parameter-rows.ts'
import type { Field } from './field.ts'
import { faultsIn } from './faults.ts'
import { LIMITS, readParameters } from './read-schema.ts'
import { share } from '../../../../../tests/helpers/size.ts'

function count(field: Field): number {
  const inside =
    field.kind === 'object'
      ? [...field.properties.map((each) => each.field), ...(field.others ? [field.others] : [])]
      : field.kind === 'list'
        ? [...field.first, ...(field.items ? [field.items] : [])]
        : field.kind === 'choice'
          ? field.choices
          : []
  return inside.reduce((sum, each) => sum + count(each), 1)
}

/** Beyond the limit, the remaining parts of a schema become fields for any value. */
const MAX = LIMITS.fields * 3

/** Each field reads some members of its schema. */
const MAX_READS = 3000

const texts = (properties: object): string[] =>
  readParameters({ type: 'object', properties }).properties.map(({ field }) => field.kind)

test('creates every kind of field', () => {
  expect(
    texts({
      text: { type: 'string' },
      whole: { type: 'integer' },
      maybe: { type: ['string', 'null'] },
      also: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      one: { enum: ['a', 2] },
      consts: { oneOf: [{ const: 'a' }, { const: 'b' }] },
      list: { type: 'array', items: { type: 'string' } },
      map: { type: 'object', additionalProperties: { type: 'number' } },
      free: {},
      anything: true,
    }),
  ).toEqual([
    'text',
    'number',
    'choice',
    'choice',
    'fixed',
    'fixed',
    'list',
    'object',
    'any',
    'any',
  ])
})

test('required properties come first', () => {
  const { properties } = readParameters({
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string' } },
    required: ['b'],
  })
  expect(properties.map(({ name, isRequired }) => [name, isRequired])).toEqual([
    ['b', true],
    ['a', false],
  ])
})

test('resolves references inside the schema and merges parts', () => {
  const { properties } = readParameters({
    $defs: { path: { type: 'string', description: 'A path' }, 'a/b': { type: 'integer' } },
    allOf: [{ properties: { p: { $ref: '#/$defs/path' } }, required: ['p'] }],
    type: 'object',
    properties: { n: { $ref: '#/$defs/a~1b', description: 'Mine' } },
  })
  expect(properties).toMatchObject([
    { name: 'p', isRequired: true, field: { kind: 'text', description: 'A path' } },
    { name: 'n', field: { kind: 'number', description: 'Mine' } },
  ])
})

const deep = Array.from({ length: 100 }).reduce<object>(
  (inside) => ({ type: 'object', properties: { a: inside, b: { type: 'string' } } }),
  { type: 'string' },
)
const bomb = {
  $defs: Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [
      `a${at}`,
      { anyOf: [{ $ref: `#/$defs/a${at + 1}` }, { $ref: `#/$defs/a${at + 1}` }] },
    ]),
  ),
  type: 'object',
  properties: { x: { $ref: '#/$defs/a0' } },
}
const merged = {
  $defs: Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [
      `a${at}`,
      { allOf: [{ $ref: `#/$defs/a${at + 1}` }, { $ref: `#/$defs/a${at + 1}` }] },
    ]),
  ),
  type: 'object',
  properties: { x: { $ref: '#/$defs/a0' } },
}

test.each<[string, unknown]>([
  [
    'a circle',
    {
      $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } },
      type: 'object',
      properties: { x: { $ref: '#/$defs/a' } },
    },
  ],
  [
    'itself',
    {
      type: 'object',
      properties: { x: { $ref: '#' }, y: { type: 'array', items: { $ref: '#' } } },
      additionalProperties: { $ref: '#' },
    },
  ],
  [
    'a thousand properties',
    {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 1000 }, (_, at) => [`p${at}`, { type: 'string' }]),
      ),
    },
  ],
  ['a hundred levels', deep],
  ['doubled choices', bomb],
  ['doubled parts', merged],
  [
    'a remote reference',
    { type: 'object', properties: { x: { $ref: 'http://127.0.0.1:9/x.json' } } },
  ],
  ['a reference to nothing', { type: 'object', properties: { x: { $ref: '#/%zz/1' } } }],
  [
    'odd names',
    JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"},"toString":{"type":"string"}}}',
    ),
  ],
  ['odd types', { type: 'object', properties: [1], required: 'x', additionalProperties: 7 }],
  ['not a schema', 'x'],
])('%s stays small, and little of it is read', (_, given) => {
  const { value: schema, reads } = counted(given)
  const field = readParameters(schema)
  faultsIn(field, { x: { x: {} }, a: { a: { b: 1 } } })
  expect(count(field)).toBeLessThan(MAX)
  expect(reads()).toBeLessThan(MAX_READS)
})

test('omitted properties can still be edited', () => {
  const many = {
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 1000 }, (_, at) => [`p${at}`, { type: 'string' }]),
    ),
    additionalProperties: false,
  }
  const field = readParameters(many)
  expect([field.properties.length, field.left, field.others?.kind]).toEqual([
    LIMITS.properties,
    1000 - LIMITS.properties,
    'any',
  ])
  const names = readParameters(
    JSON.parse('{"type":"object","properties":{"__proto__":{},"toString":{"type":"string"}}}'),
  )
  expect(names.properties.map(({ name }) => name)).toEqual(['toString'])
})

test('law: any schema gives a small number of fields', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.jsonValue(), (schema, value) => {
      const field = readParameters(schema)
      expect(count(field)).toBeLessThan(MAX)
      faultsIn(field, value)
    }),
  )
})

test.each(share(nastySchemas, 4))('takes little time for a hostile schema: %s', (_, schema) => {
  const field = readParameters(schema)
  expect(count(field)).toBeLessThanOrEqual(LIMITS.fields)
  expect(faultsIn(field, { a: 1 })).toBeInstanceOf(Map)
  expect(parameterRows(schema).rows.length).toBeLessThanOrEqual(150)
  expect(exampleArguments(schema)).toBeInstanceOf(Object)
})
