import type { Schema } from '../protocol.ts'
import { branchesOf, isSchema, own, resolve } from './resolve.ts'

/** In the order in which text is tried. */
export const TYPES = ['null', 'integer', 'number', 'boolean', 'object', 'array', 'string'] as const

export type Type = (typeof TYPES)[number]

/** The types a schema admits. Undefined: it does not say. A type nobody knows is `unknown`. */
export function typesOf(schema: unknown, root: Schema): Set<Type | 'unknown'> | undefined {
  const types = new Set<Type | 'unknown'>()
  gather(schema, root, types, new Set())
  return types.size > 0 ? types : undefined
}

function gather(
  schema: unknown,
  root: Schema,
  types: Set<Type | 'unknown'>,
  seen: Set<Schema>,
): void {
  const found = resolve(schema, root)
  // A schema may refer to itself.
  if (!found || seen.has(found)) return
  seen.add(found)
  const before = types.size
  for (const type of [own(found, 'type')].flat()) {
    if (typeof type === 'string') types.add(canonical(type))
  }
  if (types.size === before) {
    const { enum: values } = found
    for (const value of Array.isArray(values) ? values : []) types.add(typeOf(value))
    if (Object.hasOwn(found, 'const')) types.add(typeOf(found['const']))
  }
  for (const branch of branchesOf(found)) gather(branch, root, types, seen)
  if (types.size === before && isSchema(found['properties'])) types.add('object')
  if (types.size === before && isSchema(found['items'])) types.add('array')
  if (types.size > before && found['nullable'] === true) types.add('null')
}

function typeOf(value: unknown): Type {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (Number.isInteger(value)) return 'integer'
  const type = typeof value
  return type === 'number' || type === 'boolean' || type === 'object' ? type : 'string'
}

/** Names of types as people write them into schemas. */
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
