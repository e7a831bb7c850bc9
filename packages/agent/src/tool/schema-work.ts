import type { Schema } from '@toolglot/core'
import { isObject } from './json-schema.ts'
import { innerSchemas } from './schema-keywords.ts'
import { decodePointerPart } from './schema-problems.ts'

/** Whether it would take too long to check a value by a schema. A large value may take longer. */
export const takesTooLong = (root: Schema, value: unknown): boolean => {
  const limit = BASE_WORK + WORK_PER_PART * partsIn(value)
  return schemaWork(root, value, limit) > limit
}

const BASE_WORK = 100_000
const WORK_PER_PART = 50

function partsIn(value: unknown): number {
  const pending = [value]
  for (const each of pending)
    if (isContainer(each)) for (const part of Object.values(each)) pending.push(part)
  return pending.length
}

/**
 * How often a validator that follows a schema applies a part of it to a part of a value, at most. Infinity if it would never
 * end, because the schema refers to itself for the same value, or if that cannot be told. Each pair of parts is counted once, so
 * the count itself is fast, even if a few references that double each other mean a billion steps. It ends at a limit.
 */
export function schemaWork(root: Schema, value: unknown, limit: number): number {
  const known = new Map<unknown, Map<unknown, number>>()
  const isNested = holdsId(root)
  let pairs = 0
  return workOf(root, value, 0)

  function workOf(schema: unknown, at: unknown, depth: number): number {
    if (!isObject(schema)) return 1
    if (depth > MAX_DEPTH || pairs > limit) return Infinity
    // Plain values of the same type are alike: no keyword applies to a part of them.
    const place = isContainer(at) ? at : typeof at
    let own = known.get(schema)
    if (!own) known.set(schema, (own = new Map()))
    const found = own.get(place)
    if (found !== undefined) return found
    pairs++
    // Whatever comes back here before it is known never ends.
    own.set(place, Infinity)
    let work = 1
    for (const { inner, values } of applied(schema, at)) {
      for (const each of values) work += workOf(inner, each, depth + 1)
      if (work > limit) break
    }
    own.set(place, work)
    return work
  }

  function applied(schema: Record<string, unknown>, at: unknown): readonly Applied[] {
    const parts = innerSchemas(schema).map(({ keys, inner }): Applied => {
      const [keyword, key] = keys as [string, string | undefined]
      return { inner, values: valuesFor(keyword, key, at) }
    })
    for (const keyword of REFERENCES) {
      const reference = schema[keyword]
      if (reference === undefined) continue
      parts.push({ inner: targetOf(reference), values: [at] })
    }
    return parts
  }

  /** What a reference leads to: the endless schema if that depends on more than its pointer. */
  function targetOf(reference: unknown): unknown {
    if (reference === '#' && !isNested) return root
    if (typeof reference !== 'string' || !reference.startsWith('#/') || isNested) return ENDLESS
    let target: unknown = root
    for (const part of reference.slice(2).split('/')) {
      const key = decodePointerPart(part)
      const isThere = typeof target === 'object' && target !== null && Object.hasOwn(target, key)
      if (!isThere) return true
      target = (target as Record<string, unknown>)[key]
    }
    return target
  }
}

/** A part of a schema, and the values that it is applied to. */
interface Applied {
  readonly inner: unknown
  readonly values: readonly unknown[]
}

/** A validator calls itself that often. */
const MAX_DEPTH = 400

const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef']
const ENDLESS: Record<string, unknown> = {}
ENDLESS['not'] = ENDLESS

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null

/** The parts of a value that the schema in a keyword is applied to. */
function valuesFor(keyword: string, key: string | undefined, at: unknown): readonly unknown[] {
  if (SAME_VALUE.has(keyword)) return [at]
  if (keyword === '$defs' || keyword === 'definitions') return []
  if (!isContainer(at)) return []
  if (keyword === 'propertyNames') return Array.isArray(at) ? [] : Object.keys(at)
  if (keyword === 'properties')
    return key !== undefined && Object.hasOwn(at, key) ? [(at as Record<string, unknown>)[key]] : []
  return Object.values(at)
}

const SAME_VALUE: ReadonlySet<string> = new Set([
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas'],
])

const MAX_SCHEMAS = 200_000

/** Whether a part of a schema has a name of its own, from which the references in it then start. */
function holdsId(root: Schema): boolean {
  const pending: unknown[] = [root]
  for (const schema of pending) {
    if (!isObject(schema) || pending.length > MAX_SCHEMAS) continue
    if (schema !== root && typeof schema['$id'] === 'string') return true
    for (const { inner } of innerSchemas(schema)) pending.push(inner)
  }
  return false
}
