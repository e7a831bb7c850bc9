import type { Schema } from '../protocol.ts'
import { facetsOf, isSchema, own } from './resolve.ts'

/** In the order in which they are tried on text. */
export const TYPES = ['null', 'integer', 'number', 'boolean', 'object', 'array', 'string'] as const

/** A type of JSON Schema. */
export type Type = (typeof TYPES)[number]

/** The types that a schema allows. Undefined: it names none. A type that is not in JSON Schema is `unknown`. */
export function typesOf(schema: unknown, root: Schema): Set<Type | 'unknown'> | undefined {
  const facets = facetsOf(schema, root)
  const types = new Set(facets.flatMap(declaredTypes))
  if (types.size === 0) return undefined
  if (facets.some(({ nullable }) => nullable === true)) types.add('null')
  return types
}

/** The types that a schema names; otherwise the types of its values; otherwise what its other keywords imply. */
function declaredTypes(schema: Schema): (Type | 'unknown')[] {
  const named = [own(schema, 'type')].flat().filter((type) => typeof type === 'string')
  if (named.length > 0) return named.map(canonical)
  const { enum: values, const: only, properties, items } = schema
  const listed = [...(Array.isArray(values) ? values : []), ...(only === undefined ? [] : [only])]
  if (listed.length > 0) return listed.map(typeOf)
  if (isSchema(properties)) return ['object']
  return isSchema(items) ? ['array'] : []
}

/** The type of a JSON value; of a number, the narrower one. */
export function typeOf(value: unknown): Type {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (Number.isInteger(value)) return 'integer'
  const type = typeof value
  return type === 'number' || type === 'boolean' || type === 'object' ? type : 'string'
}

/** The type that a name stands for: people write many names into schemas. */
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
