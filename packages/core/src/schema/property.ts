import type { Schema } from '../protocol.ts'
import { branchesOf, isSchema, own, partWith, resolve } from './resolve.ts'

/** The schema of one member of an object. */
export function propertyOf(
  schema: Schema | undefined,
  key: string,
  root: Schema | undefined = schema,
): Schema | undefined {
  const object = schema && partWith(schema, root!, 'properties')
  return object && resolve(memberOf(object, key), root!)
}

/** The members that an object schema declares. */
export function propertiesOf(schema: Schema | undefined): Schema | undefined {
  const object = schema && partWith(schema, schema, 'properties')
  const properties = object && own(object, 'properties')
  return isSchema(properties) ? properties : undefined
}

/** Whether an object schema declares this member. */
export function declares(schema: Schema, key: string): boolean {
  return Object.hasOwn(propertiesOf(schema) ?? {}, key)
}

/**
 * The member that a key means: itself, or if the schema refuses it, the only one that differs in nothing but case, `_` and `-`.
 * Undefined: none.
 */
export function intendedKey(schema: Schema, key: string): string | undefined {
  if (!refuses(schema, key)) return key
  const [name, other] = Object.keys(propertiesOf(schema) ?? {}).filter(
    (one) => plain(one) === plain(key) && !refuses(schema, one),
  )
  return other === undefined ? name : undefined
}

function plain(key: string): string {
  return key.replace(/[_-]/g, '').toLowerCase()
}

/** Whether an object lacks a member that its schema requires. */
export function lacksRequired(
  schema: Schema | undefined,
  object: object,
  root: Schema | undefined = schema,
): boolean {
  return requiredOf(schema, root).some((key) => !Object.hasOwn(object, key))
}

/** The members that an object schema requires. */
export function requiredOf(
  schema: Schema | undefined,
  root: Schema | undefined = schema,
): readonly string[] {
  const object = schema && partWith(schema, root!, 'properties')
  const required = object && own(object, 'required')
  return Array.isArray(required) ? (required as readonly string[]) : []
}

/** Whether an object schema explicitly allows this member: it is declared, or any member is allowed. */
export function admits(schema: Schema, key: string): boolean {
  if (!propertiesOf(schema) || declares(schema, key)) return true
  return !!own(partWith(schema, schema, 'properties')!, 'additionalProperties')
}

/** Whether assigning this key could reach an object's prototype. */
export function isUnsafe(key: string): boolean {
  return ['__proto__', 'constructor', 'prototype'].includes(key)
}

/**
 * Whether an object schema forbids this member: explicitly, or because it is closed and does not declare it, or because every
 * branch does. Unsafe keys are never just dropped, so this is false for them.
 */
export function refuses(
  schema: unknown,
  key: string,
  root: Schema | undefined = schema as Schema | undefined,
  seen: Set<Schema> = new Set(),
): boolean {
  const object = root && resolve(schema, root)
  if (!object || isUnsafe(key) || seen.has(object)) return false
  seen.add(object)
  const member = memberOf(object, key)
  // Patterns are never run on model text: what one may allow stays, what they can only forbid does not.
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
