import type { Schema } from '@toolglot/core'
import { describe, expect, test } from 'vitest'
import { checkArguments } from './check-arguments.ts'
import { schemaWork } from './schema-work.ts'
import { argumentProblems } from './strict-arguments.ts'

/** Each definition refers twice to the next one. */
function doubling(keyword: string, count = 30): Schema {
  const name = (at: number): object => ({ $ref: `#/$defs/d${at}` })
  const $defs = Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `d${at}`,
      at === count - 1 ? { type: 'object' } : { [keyword]: [name(at + 1), name(at + 1)] },
    ]),
  )
  return { type: 'object', ...name(0), $defs }
}

/** The same for the members of members. */
const nestedDoubling: Schema = {
  type: 'object',
  properties: { a: { allOf: [{ $ref: '#' }, { $ref: '#' }] } },
}
const nested = (depth: number): object => (depth === 0 ? {} : { a: nested(depth - 1) })

const chain = (length: number): Schema => ({
  $ref: '#/$defs/d0',
  $defs: Object.fromEntries(
    Array.from({ length }, (_, at) => [
      `d${at}`,
      at === length - 1 ? {} : { allOf: [{ $ref: `#/$defs/d${at + 1}` }] },
    ]),
  ),
})

describe('a schema that would take too long is refused with a problem', () => {
  test.each<[string, Schema, object]>([
    ['itself', { $ref: '#' }, {}],
    ['itself in a list', { allOf: [{ $ref: '#' }] }, {}],
    ['itself as an alternative', { anyOf: [{ type: 'object' }, { $ref: '#' }] }, {}],
    ['itself negated', { not: { $ref: '#' } }, {}],
    ['itself as a condition', { if: { $ref: '#' } }, {}],
    [
      'each other',
      {
        $ref: '#/$defs/a',
        $defs: { a: { $ref: '#/$defs/b' }, b: { oneOf: [{ $ref: '#/$defs/a' }] } },
      },
      {},
    ],
    [
      'itself in a member',
      {
        properties: { a: { $ref: '#/$defs/a' } },
        $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }] } },
      },
      { a: 1 },
    ],
    ['twice the next, with allOf', doubling('allOf'), {}],
    ['twice the next, with anyOf', doubling('anyOf'), {}],
    ['twice the next, with oneOf', doubling('oneOf'), {}],
    ['twice itself in a member', nestedDoubling, nested(40)],
    ['a long chain', chain(5000), {}],
    ['a name of its own', { $ref: '#/$defs/a', $defs: { a: { $id: 'x', $ref: '#' } } }, {}],
    ['a dynamic reference', { $dynamicRef: '#x', $dynamicAnchor: 'x' }, {}],
  ])('%s', async (_, schema, args) => {
    const problem = expect.stringContaining('too complex')
    expect(await checkArguments(schema, args)).toEqual({ problems: [problem], unusable: true })
    expect(await argumentProblems(schema, args as Record<string, unknown>)).toEqual([problem])
  })
})

describe('a schema that refers to itself for parts of a value is used', () => {
  const tree: Schema = {
    type: 'object',
    properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
    required: ['name'],
  }
  test('a tree', async () => {
    const leaf = { name: 'a', children: [] }
    const good = { name: 'b', children: [leaf, { name: 'c', children: [leaf] }] }
    expect(await checkArguments(tree, good)).toEqual({ args: good })
    const bad = { name: 'b', children: [{ name: 'c', children: [{ children: [] }] }] }
    expect(await checkArguments(tree, bad)).toHaveProperty('problems')
  })

  test('the work grows with the value', () => {
    expect(schemaWork(tree, { name: 'a' }, 1000)).toBeLessThan(10)
    expect(schemaWork(nestedDoubling, nested(5), 1000)).toBeGreaterThan(2 ** 5)
    expect(schemaWork(doubling('allOf', 5), {}, 1000)).toBeLessThan(200)
  })

  test('long lists are fine', async () => {
    const item: Schema = { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] }
    const schema = { type: 'object', properties: { a: { type: 'array', items: item } } }
    const args = { a: Array.from({ length: 30_000 }, (_, x) => ({ x, y: 1, z: 2 })) }
    expect(await checkArguments(schema, args)).toHaveProperty('args')
  })
})
