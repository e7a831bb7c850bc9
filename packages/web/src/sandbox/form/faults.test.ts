import fc from 'fast-check'
import { Check } from 'typebox/schema'
import { expect, test } from 'vitest'
import { faultsIn } from './faults.ts'
import { readParameters } from './read-schema.ts'
import { runs } from '../../../../../tests/helpers/size.ts'

// Longer values are not offered as choices.
const json = fc.jsonValue({ maxDepth: 2 }).filter((value) => JSON.stringify(value).length <= 200)
const about = { minLength: fc.nat(3), maxLength: fc.nat(5) }
/** Schemas that can be shown entirely as fields. */
const schemas = fc.letrec<{ any: object; object: object }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.record({ type: fc.constant('string'), ...about }, { requiredKeys: ['type'] }),
    fc.record(
      {
        type: fc.constantFrom('number', 'integer'),
        minimum: fc.integer(),
        exclusiveMaximum: fc.integer(),
        multipleOf: fc.integer({ min: 1, max: 4 }),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record({ type: fc.constantFrom('boolean', 'null') }),
    fc.record({
      type: fc.uniqueArray(fc.constantFrom('string', 'integer', 'null', 'boolean'), {
        minLength: 1,
      }),
    }),
    fc.record({ enum: fc.array(json, { minLength: 1, maxLength: 4 }) }),
    fc.record({ const: json }),
    fc.record(
      { type: fc.constant('array'), items: tie('any'), minItems: fc.nat(2), maxItems: fc.nat(3) },
      { requiredKeys: ['type'] },
    ),
    fc.record({ anyOf: fc.array(tie('any'), { minLength: 1, maxLength: 3 }) }),
    tie('object'),
  ),
  object: fc.record(
    {
      type: fc.constant('object'),
      properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('any'), {
        noNullPrototype: true,
      }),
      required: fc.uniqueArray(fc.constantFrom('a', 'b', 'c')),
      additionalProperties: tie('any'),
    },
    { requiredKeys: ['type', 'properties'] },
  ),
}))

test('law: a value has no faults if and only if a JSON Schema validator accepts it', () => {
  const { numRuns } = runs(3000)
  let accepted = 0
  fc.assert(
    fc.property(
      schemas.object,
      fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), json, { noNullPrototype: true }),
      (schema, value) => {
        // Required names must be properties: a form shows no others.
        const { properties, required } = schema as { properties: object; required?: string[] }
        const known = {
          ...schema,
          ...(required && { required: required.filter((name) => name in properties) }),
        }
        const isValid = Check(known, value)
        if (isValid) accepted++
        expect(faultsIn(readParameters(known), value).size === 0).toBe(isValid)
      },
    ),
    { numRuns },
  )
  expect(accepted).toBeGreaterThan(numRuns / 30)
})

test('reports each fault at its place', () => {
  const field = readParameters({
    type: 'object',
    required: ['path', 'mode'],
    properties: {
      path: { type: 'string', minLength: 1 },
      mode: { enum: ['a', 'b'] },
      'a/b': { type: 'array', items: { type: 'integer', maximum: 3 } },
      either: {
        anyOf: [{ type: 'string' }, { type: 'object', properties: { x: { type: 'boolean' } } }],
      },
    },
  })
  const faults = faultsIn(field, { path: '', 'a/b': [1, 9, 'x'], either: { x: 1 } })
  expect([...faults]).toEqual([
    ['/path', { type: 'minLength', limit: 1 }],
    ['/mode', { type: 'required' }],
    ['/a~1b/1', { type: 'maximum', limit: 3 }],
    ['/a~1b/2', { type: 'integer' }],
    ['/either/x', { type: 'boolean' }],
  ])
})
