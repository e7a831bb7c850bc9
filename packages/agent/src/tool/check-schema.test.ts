import type { Schema } from '@toolglot/core'
import { describe, expect, test } from 'vitest'
import { clientTools } from '../../test/client-tools.ts'
import { checkArguments } from './check-arguments.ts'
import { schemaProblem } from './check-schema.ts'

const withCity = (city: unknown, more: object = {}): Record<string, unknown> => ({
  type: 'object',
  properties: { city },
  ...more,
})

test.each(Object.entries(clientTools))('the tools of %s are valid', (_, tools) => {
  for (const { name, parameters } of tools)
    expect([name, schemaProblem(parameters)]).toEqual([name, undefined])
})

test.each([
  {},
  { type: 'object' },
  { type: ['object', 'null'] },
  { $schema: 'http://json-schema.org/draft-07/schema#', ...withCity({ type: 'string' }) },
  withCity({ type: 'STRING', nullable: true, description: null }),
  withCity({ type: 'number', minimum: 0, exclusiveMinimum: true }),
  withCity({ type: 'string', pattern: '^[\\w\\-]+$', 'x-order': 1, format: 'anything' }),
  withCity({ items: [{ type: 'string' }, true], additionalItems: false }),
  withCity({ $ref: '#/$defs/a~1b' }, { $defs: { 'a/b': { $ref: '#' } } }),
  withCity(
    { $ref: '#/definitions/node' },
    {
      definitions: {
        node: { type: 'object', properties: { next: { $ref: '#/definitions/node' } } },
      },
    },
  ),
  // Names of arguments are not read as keywords.
  { type: 'object', properties: { type: { type: 'string' }, required: { type: 'boolean' } } },
])('%j is valid', (parameters) => {
  expect(schemaProblem(parameters)).toBe(undefined)
})

const TYPES =
  'must be one of string, number, integer, boolean, object, array, null, or a list of them'

test.each<[unknown, string]>([
  [undefined, 'parameters: must be an object, not undefined'],
  [[], 'parameters: must be an object, not a list of 0'],
  ['{}', 'parameters: must be an object, not "{}"'],
  [
    { type: 'string' },
    'parameters.type: must be "object", because arguments have names, not "string"',
  ],
  [withCity({ type: 'strin' }), `parameters.properties.city.type: ${TYPES}, not "strin"`],
  [withCity({ type: [] }), `parameters.properties.city.type: ${TYPES}, not a list of 0`],
  [withCity({ type: { a: 1 } }), `parameters.properties.city.type: ${TYPES}, not an object`],
  [withCity('string'), 'parameters.properties.city: must be a schema, not "string"'],
  [withCity(null), 'parameters.properties.city: must be a schema, not null'],
  [
    { properties: [] },
    'parameters.properties: must be an object with schemas by name, not a list of 0',
  ],
  [{ required: 'city' }, 'parameters.required: must be a list of names, not "city"'],
  [{ required: [1] }, 'parameters.required: must be a list of names, not a list of 1'],
  [withCity({ enum: 'a' }), 'parameters.properties.city.enum: must be a list of values, not "a"'],
  [
    withCity({ anyOf: {} }),
    'parameters.properties.city.anyOf: must be a list of schemas, not an object',
  ],
  [
    withCity({ anyOf: [{ type: 'x' }] }),
    `parameters.properties.city.anyOf.0.type: ${TYPES}, not "x"`,
  ],
  [
    withCity({ items: 'string' }),
    'parameters.properties.city.items: must be a schema, not "string"',
  ],
  [
    withCity({ pattern: '(' }),
    'parameters: the schema has a pattern that is not a regular expression: "(".',
  ],
  [
    withCity({ pattern: '(?<!a)b' }),
    'parameters: the schema has a pattern that looks behind, which can take too long: "(?<!a)b".',
  ],
  [
    withCity({ pattern: '(a)\\1' }),
    'parameters: the schema has a pattern that refers to an earlier group, which can take too long: "(a)\\\\1".',
  ],
  [
    withCity({ pattern: '\\Aa' }),
    'parameters: the schema has a pattern that has \\A, which is not in JavaScript: "\\\\Aa".',
  ],
  [
    withCity({ minLength: 'x' }),
    'parameters.properties.city.minLength: must be a number that is not negative, not "x"',
  ],
  [
    withCity({ $ref: '#/$defs/gone' }),
    'parameters.properties.city.$ref: must be a reference to a part of the schema, not "#/$defs/gone"',
  ],
  [
    withCity({ $ref: '#/constructor' }),
    'parameters.properties.city.$ref: must be a reference to a part of the schema, not "#/constructor"',
  ],
  [
    withCity({ $ref: 'https://example.com/city.json' }),
    'parameters.properties.city.$ref: must be a reference inside the schema, such as "#/$defs/name", not "https://example.com/city.json". Move the schema it refers to into $defs.',
  ],
  [
    withCity(
      { $ref: '#/$defs/a' },
      { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
    ),
    'parameters: the schema refers to itself endlessly. Simplify it.',
  ],
])('%j', (parameters, problem) => {
  expect(schemaProblem(parameters)).toBe(problem)
})

test('reports a schema that is too deep or too large without an exception', () => {
  let deep: object = {}
  for (let at = 0; at < 100_000; at++) deep = { items: deep }
  expect(schemaProblem(withCity(deep))).toMatch(/^parameters\.properties\.city.*too large/)
  const cyclic: Record<string, unknown> = { type: 'object' }
  cyclic['properties'] = { one: cyclic, two: cyclic }
  expect(schemaProblem(cyclic)).toContain('too large')
  const proto = JSON.parse('{"properties": {"__proto__": {"type": "x"}}}') as object
  expect(schemaProblem(proto)).toMatch(/^parameters\.properties\.__proto__\.type/)
})

async function argumentProblems(schema: Schema, args: object): Promise<readonly string[]> {
  const checked = await checkArguments(schema, args)
  return 'problems' in checked ? checked.problems : []
}

describe('strict arguments', () => {
  const parameters = {
    ...withCity({ type: 'string', nullable: true, pattern: '^(a+)+$' }),
    required: ['city'],
    additionalProperties: false,
  }

  test('are the same as in the schema', async () => {
    for (const city of ['a'.repeat(5000), null])
      expect(await argumentProblems(parameters, { city })).toEqual([])
    expect(await argumentProblems(parameters, { city: `${'a'.repeat(5000)}!` })).toHaveLength(1)
    expect(await argumentProblems(parameters, {})).toEqual([
      'city: missing; must be a string or null',
    ])
    expect(await argumentProblems(parameters, { city: 'a', more: 1 })).toHaveLength(1)
    expect(await argumentProblems(parameters, { city: 5 })).toEqual([
      'city: must be a string or null, not 5',
    ])
    expect(await argumentProblems(withCity({ type: 'STRING' }), { city: 5 })).toHaveLength(1)
    const chosen = withCity({ type: 'string', enum: ['a'], nullable: true })
    expect(await argumentProblems(chosen, { city: null })).toEqual([])
    expect(await argumentProblems(chosen, { city: 'b' })).not.toEqual([])
    const proto = JSON.parse('{"city": "a", "__proto__": 1}') as Record<string, unknown>
    expect(await argumentProblems(parameters, proto)).toHaveLength(1)
  })

  test('include names allowed by a pattern', async () => {
    const open = { type: 'object', patternProperties: { '^x-': {} }, additionalProperties: false }
    expect(await argumentProblems(open, { 'x-a': 1 })).toEqual([])
    expect(await argumentProblems(open, { y: 1 })).toHaveLength(1)
  })

  test('an argument can be named pattern', async () => {
    const grep = { type: 'object', properties: { pattern: { type: 'string', pattern: 'x' } } }
    expect(await argumentProblems(grep, { pattern: 'x' })).toEqual([])
    expect(await argumentProblems(grep, { pattern: 1 })).toEqual([
      'pattern: must be a string, not 1',
    ])
  })

  test('work with recursive schemas', async () => {
    const tree = {
      type: 'object',
      properties: { root: { $ref: '#/$defs/node' } },
      $defs: {
        node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } }, required: ['id'] },
      },
    }
    expect(schemaProblem(tree)).toBe(undefined)
    expect(await argumentProblems(tree, { root: { id: 1, next: { id: 2 } } })).toEqual([])
    expect(await argumentProblems(tree, { root: { id: 1, next: {} } })).toHaveLength(1)
  })

  test.each(Object.entries(clientTools))('the schemas of %s can be checked', async (_, tools) => {
    for (const { parameters = {} } of tools)
      expect(await argumentProblems(parameters, { '…': 1 })).toBeInstanceOf(Array)
  })
})
