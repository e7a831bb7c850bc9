import { describe, expect, test } from 'vitest'
import type { Schema } from '../protocol.ts'
import { fits } from '../fallback/fits.ts'
import { coerceText, coerceValue, insideMayChange } from './coerce.ts'
import { refuses } from './property.ts'
import { facetsOf, MAX_FACETS } from './resolve.ts'

/** Each definition refers to the next one. */
const chain = (length: number, last: Schema): Schema => ({
  $ref: '#/$defs/d0',
  $defs: Object.fromEntries(
    Array.from({ length }, (_, at) => [
      `d${at}`,
      at === length - 1 ? last : { allOf: [{ $ref: `#/$defs/d${at + 1}` }] },
    ]),
  ),
})

const closed = {
  type: 'object',
  properties: { b: { type: 'number' } },
  additionalProperties: false,
}

describe('a schema of any length is read in bounded time', () => {
  test.each<[string, Schema]>([
    ['a long chain', chain(20_000, closed)],
    ['many branches', { anyOf: Array.from({ length: 20_000 }, () => ({ type: 'object' })) }],
    ['itself', { $ref: '#' }],
    ['itself in a list', { allOf: [{ $ref: '#' }, { $ref: '#' }] }],
    ['itself in a member', { properties: { a: { $ref: '#' } }, allOf: [{ $ref: '#' }] }],
  ])('%s', (_, schema) => {
    coerceValue({ a: { a: '1' } }, schema, schema)
    coerceText('{"a": {"a": "1"}}', schema, schema)
    fits({ a: { a: 1 } }, schema, schema)
    refuses(schema, 'a', schema)
    insideMayChange(schema, schema)
    expect(facetsOf(schema, schema).length).toBeLessThanOrEqual(MAX_FACETS)
  })
})

test('branches are found in the order in which they are written', () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((title) => ({ title }))
  const schema = { anyOf: [{ ...a, anyOf: [b] }, c], allOf: [d] }
  const titles = facetsOf(schema, schema).map(({ title }) => title)
  expect(titles).toEqual([undefined, 'a', 'b', 'c', 'd'])
})

test('a short chain is followed to its end', () => {
  const schema = chain(20, closed)
  expect(coerceValue({ b: '1' }, schema, schema)).toEqual({ b: 1 })
  expect(refuses(schema, 'x', schema)).toBe(true)
})
