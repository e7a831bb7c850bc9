import type { Schema } from '../protocol.ts'
import { isSchema, own, resolve } from './resolve.ts'

/** What an object schema says about one of its members. */
export function propertyOf(
  schema: Schema | undefined,
  key: string,
  root: Schema | undefined = schema,
): Schema | undefined {
  const object = schema && resolve(schema, root!)
  if (!object) return undefined
  const properties = own(object, 'properties')
  const declared = isSchema(properties) ? own(properties, key) : undefined
  return resolve(declared ?? own(object, 'additionalProperties'), root!)
}

/** Whether an object schema names this member. */
export function declares(schema: Schema, key: string): boolean {
  const object = resolve(schema, schema)
  const properties = object && own(object, 'properties')
  return isSchema(properties) && Object.hasOwn(properties, key)
}

/** Whether an object schema has a place for this member: it is declared, or any is welcome. */
export function admits(schema: Schema, key: string): boolean {
  const object = resolve(schema, schema)
  const properties = object && own(object, 'properties')
  if (!isSchema(properties) || Object.hasOwn(properties, key)) return true
  const additional = own(object!, 'additionalProperties')
  return additional === true || isSchema(additional)
}

/** What would reach an object's prototype if somebody assigned it. */
export function isUnsafe(key: string): boolean {
  return key === '__proto__' || key === 'constructor' || key === 'prototype'
}

/** Whether an object schema refuses this member: it is closed, and does not name it. An unsafe one is not so quietly left out. */
export function refuses(
  schema: Schema | undefined,
  key: string,
  root: Schema | undefined = schema,
): boolean {
  const object = schema && resolve(schema, root!)
  if (!object || isUnsafe(key) || own(object, 'additionalProperties') !== false) return false
  if (Object.hasOwn(object, 'patternProperties')) return false
  const properties = own(object, 'properties')
  return !isSchema(properties) || !Object.hasOwn(properties, key)
}
