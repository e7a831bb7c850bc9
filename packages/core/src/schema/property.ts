import type { Schema } from '../protocol.ts'
import { kept } from '../read/cached.ts'
import { branchesOf, isSchema, MAX_PARTS, own, partWith, resolve } from './resolve.ts'

/** The schema of a member of an object. */
export function propertyOf(
  schema: Schema | undefined,
  key: string,
  root: Schema | undefined = schema,
): Schema | undefined {
  const object = partWith(schema, root!, 'properties')
  return object && resolve(memberOf(object, key), root!)
}

/** The schema of a list's items, if it is the same for all of them. */
export function itemsOf(schema: Schema | undefined, root: Schema | undefined): Schema | undefined {
  const part = root && partWith(schema, root, 'items')
  const items = part && own(part, 'items')
  return isSchema(items) ? items : undefined
}

/** The declared members of an object schema. */
export function propertiesOf(
  schema: Schema | undefined,
  root: Schema | undefined = schema,
): Schema | undefined {
  const object = partWith(schema, root!, 'properties')
  const properties = object && own(object, 'properties')
  return isSchema(properties) ? properties : undefined
}

/** True if an object schema declares this member. */
export function declares(schema: Schema, key: string, root: Schema = schema): boolean {
  return Object.hasOwn(propertiesOf(schema, root) ?? {}, key)
}

/**
 * Matches the keys of an object to the schema's members. A key that the schema neither declares nor
 * explicitly allows is a near miss if it differs from exactly one declared member only in case, `_`
 * and `-`. It stands for that member, unless another key does too. The result is undefined for a
 * key that the schema forbids.
 */
export function intendedKeys(
  schema: Schema,
  keys: readonly string[],
  root: Schema = schema,
): (string | undefined)[] {
  const names = keys.map((key) => intendedKey(schema, key, root))
  const counts = new Map<string | undefined, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return keys.map((key, i) => {
    const name = names[i]
    if (name === key || counts.get(name) === 1) return name
    return refuses(schema, key, root) ? undefined : key
  })
}

/** Like `intendedKeys`, for a single key, ignoring all others. */
export function intendedKey(
  schema: Schema,
  key: string,
  root: Schema = schema,
): string | undefined {
  const refused = refuses(schema, key, root)
  if (!refused && (isUnsafe(key) || admits(schema, key, root))) return key
  const [name, other] = similarKeys(propertiesOf(schema, root) ?? {}, key)
  const meant = name !== undefined && other === undefined && !refuses(schema, name, root)
  return meant ? name : refused ? undefined : key
}

/** The members that differ from a key only in case, `_` and `-`. */
function similarKeys(properties: Schema, key: string): readonly string[] {
  const groups = kept(similar, properties, () => {
    const made = new Map<string, string[]>()
    for (const name of Object.keys(properties))
      if (!isUnsafe(name)) kept(made, plainKey(name), () => []).push(name)
    return made
  })
  return groups.get(plainKey(key)) ?? []
}

const similar = new WeakMap<Schema, ReadonlyMap<string, string[]>>()

/** A key without the parts in which near misses may differ. */
export function plainKey(key: string): string {
  return key.replace(/[_-]/g, '').toLowerCase() || key
}

/** True if an object lacks a required member. */
export function lacksRequired(
  schema: Schema | undefined,
  object: object,
  root: Schema | undefined = schema,
): boolean {
  return requiredOf(schema, root).some((key) => !Object.hasOwn(object, key))
}

/** The required members of an object schema. */
export function requiredOf(
  schema: Schema | undefined,
  root: Schema | undefined = schema,
): readonly string[] {
  const object = partWith(schema, root!, 'properties')
  const required = object && own(object, 'required')
  return Array.isArray(required) ? (required as readonly string[]) : []
}

/**
 * True if an object schema explicitly allows this member: it is declared, or any member is allowed.
 */
export function admits(schema: Schema, key: string, root: Schema = schema): boolean {
  const properties = propertiesOf(schema, root)
  if (!properties || Object.hasOwn(properties, key)) return true
  const object = partWith(schema, root, 'properties')!
  return !!own(object, 'additionalProperties') || !!own(object, 'patternProperties')
}

/** True if assigning this key could reach an object's prototype. */
export function isUnsafe(key: string): boolean {
  return ['__proto__', 'constructor', 'prototype'].includes(key)
}

/**
 * True if an object schema forbids this member explicitly, or does not declare it and allows no
 * others, or if every branch forbids it. False for unsafe keys, which must never be dropped
 * silently.
 */
export function refuses(
  schema: unknown,
  key: string,
  root: Schema | undefined = schema as Schema | undefined,
  seen: Set<Schema> = new Set(),
): boolean {
  const object = root && resolve(schema, root)
  if (!object || isUnsafe(key) || seen.has(object) || seen.size > MAX_PARTS) return false
  seen.add(object)
  const member = memberOf(object, key)
  // Patterns are never run on model text. A member is kept if a pattern may allow it, and dropped
  // if patterns can only forbid it.
  const patterns = Object.values(own(object, 'patternProperties') ?? {})
  if (member === false || (patterns.length > 0 && !declares(object, key)))
    return patterns.every((pattern) => pattern === false)
  const branches = branchesOf(object)
  return (
    member === undefined &&
    branches.length > 0 &&
    branches.every((branch) => refuses(branch, key, root, seen))
  )
}

function memberOf(object: Schema, key: string): unknown {
  const properties = own(object, 'properties')
  const declared = isSchema(properties) ? own(properties, key) : undefined
  return declared ?? own(object, 'additionalProperties')
}
