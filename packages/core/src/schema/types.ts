import type { Schema } from '../protocol.ts'
import { facetsOf, isSchema, own } from './resolve.ts'

/** The types of JSON Schema, in the order in which text is converted. */
export const TYPES = ['null', 'integer', 'number', 'boolean', 'object', 'array', 'string'] as const

/** A type of JSON Schema. */
export type Type = (typeof TYPES)[number]

/**
 * The types that a schema allows, or undefined if it declares none. A type unknown to JSON Schema
 * is `unknown`.
 */
export function typesOf(schema: unknown, root: Schema): Set<Type | 'unknown'> | undefined {
  const facets = facetsOf(schema, root)
  const types = new Set(facets.flatMap(declaredTypes))
  if (types.size === 0) return undefined
  if (facets.some(({ nullable }) => nullable === true)) types.add('null')
  return types
}

/**
 * The declared types of a schema, or else the types of its values, or else those implied by its
 * other keywords.
 */
function declaredTypes(schema: Schema): (Type | 'unknown')[] {
  const named = [own(schema, 'type')].flat().filter((type) => typeof type === 'string')
  if (named.length > 0) return named.map(canonical)
  const { enum: values, const: only, properties, items } = schema
  const listed = [...(Array.isArray(values) ? values : []), ...(only === undefined ? [] : [only])]
  if (listed.length > 0) return listed.map(typeOf)
  if (isSchema(properties)) return ['object']
  return isSchema(items) ? ['array'] : []
}

/** The type of a JSON value. For a number, the narrower type. */
export function typeOf(value: unknown): Type {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (Number.isInteger(value)) return 'integer'
  const type = typeof value
  return type === 'number' || type === 'boolean' || type === 'object' ? type : 'string'
}

/** The type for a name. Schemas contain many spellings. */
function canonical(name: string): Type | 'unknown' {
  const word = name.toLowerCase()
  const exact = ALIASES.get(word)
  if (exact) return exact
  if (/^(?:u?int|unsigned)(?!erval)/.test(word)) return 'integer'
  return /^(?:float|num)/.test(word) ? 'number' : 'unknown'
}

const ALIASES = new Map<string, Type>(
  Object.entries({
    null: 'null',
    integer: 'integer long short bigint',
    number: 'number double decimal',
    boolean: 'boolean bool binary',
    object: 'object dict map',
    array: 'array list arr sequence tuple',
    string: 'string str text varchar char enum',
  } satisfies Record<Type, string>).flatMap(([type, words]) =>
    words.split(' ').map((word): [string, Type] => [word, type as Type]),
  ),
)
