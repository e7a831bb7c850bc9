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

/** Whether an object lacks a member that its schema requires. */
export function lacksRequired(schema: Schema | undefined, object: object): boolean {
  return requiredOf(schema).some((key) => !Object.hasOwn(object, key))
}

/** The members that an object schema requires. */
export function requiredOf(schema: Schema | undefined): readonly string[] {
  const object = schema && partWith(schema, schema, 'properties')
  const required = object && own(object, 'required')
  return Array.isArray(required) ? (required as readonly string[]) : []
}

/** Whether an object schema explicitly allows this member: it is declared, or any member is allowed. */
export function admits(schema: Schema, key: string): boolean {
  if (!propertiesOf(schema) || declares(schema, key)) return true
  const additional = own(partWith(schema, schema, 'properties')!, 'additionalProperties')
  return additional === true || isSchema(additional)
}

/** Whether assigning this key could reach an object's prototype. */
export function isUnsafe(key: string): boolean {
  return key === '__proto__' || key === 'constructor' || key === 'prototype'
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
  // Patterns are never run on model text: if one may allow the key, it stays.
  const patterns = Object.values(own(object, 'patternProperties') ?? {})
  if (member === false) return patterns.every((pattern) => pattern === false)
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
