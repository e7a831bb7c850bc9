// Folder: Values converted to the types in a JSON Schema.
import { duplicateKeyIn } from '../json/text.ts'
import { type TryRepair, readLoosely } from '../json/read.ts'
import { MAX_DEPTH } from '../json/scanner.ts'
import type { Schema } from '../protocol.ts'
import { intendedKeys, propertyOf } from './property.ts'
import { branchesOf, MAX_PARTS, partWith } from './resolve.ts'
import { TYPES, type Type, typesOf } from './types.ts'

/**
 * Converts a string to the type in a schema. `changed` is true if a value nested inside was
 * converted too. Undefined if no conversion is possible, or the schema declares no type.
 */
export function coerceText(
  text: string,
  schema: unknown,
  root: Schema,
  tryRepair: TryRepair = () => true,
  note?: NoteChange,
): { value: unknown; changed?: boolean } | undefined {
  const types = typesOf(schema, root)
  if (!types) return undefined
  for (const type of TYPES) {
    const found = types.has(type) ? READ[type](text.trim(), text, tryRepair) : undefined
    if (!found) continue
    const value = coerceValue(found.value, schema, root, note)
    return value === found.value ? found : { value, changed: true }
  }
  return types.has('unknown')
    ? (readContainer(text.trim(), tryRepair) ?? { value: text })
    : undefined
}

/**
 * Receives each change: a converted text, or a `key` that became `name` or, without one, was
 * dropped.
 */
export type NoteChange = (
  repair: 'coerced' | 'alias-key' | 'unknown-key',
  key?: string,
  name?: string,
) => void

/**
 * A value with strings converted to the types in the schema, and keys to its names. Returns the
 * same object if nothing changes.
 */
export function coerceValue(
  value: unknown,
  schema: unknown,
  root: Schema,
  note?: NoteChange,
): unknown {
  if (typeof value === 'string') {
    if (!refusesText(schema, root)) return value
    const typed = coerceText(value, schema, root, undefined, note)
    if (typed) note?.('coerced')
    return typed ? typed.value : value
  }
  if (Array.isArray(value)) {
    const items = partWith(schema, root, 'items')?.['items']
    const list = value.map((item, i) =>
      coerceValue(item, Array.isArray(items) ? items[i] : items, root, note),
    )
    return list.some((item, i) => item !== value[i]) ? list : value
  }
  if (typeof value !== 'object' || value === null) return value
  const object = partWith(schema, root, 'properties')
  return object ? members(value, object, root, note) : value
}

/** True if this schema does not allow a string. */
export function refusesText(schema: unknown, root: Schema): boolean {
  const types = typesOf(schema, root)
  return types !== undefined && !types.has('string') && !types.has('unknown')
}

/** True if a part of a list or an object may need a conversion under this schema. */
export function insideMayChange(
  schema: unknown,
  root: Schema,
  seen: Set<unknown> = new Set(),
): boolean {
  if (seen.has(schema)) return false
  if (seen.size > MAX_PARTS) return true
  seen.add(schema)
  const items = partWith(schema, root, 'items')?.['items']
  const object = partWith(schema, root, 'properties') ?? {}
  const { properties, patternProperties, additionalProperties } = object as Record<string, object>
  // A key may be a near miss of a declared one.
  if (Object.keys(properties ?? {}).length > 0) return true
  const parts: unknown[] = [
    ...[items].flat(),
    additionalProperties,
    ...Object.values({ ...patternProperties }),
  ]
  return (
    parts.some((part) => part === false || refusesText(part, root)) ||
    [...parts, ...branchesOf(object)].some((part) => insideMayChange(part, root, seen))
  )
}

const READ: Record<
  Type,
  (trimmed: string, text: string, tryRepair: TryRepair) => { value: unknown } | undefined
> = {
  null: (text) => (text.toLowerCase() === 'null' ? { value: null } : undefined),
  integer: (text) => finite(text, INTEGER),
  number: (text) => finite(text, NUMBER),
  boolean: (text) => {
    const at = BOOLEANS.indexOf(text.toLowerCase())
    return at < 0 ? undefined : { value: at < 2 }
  },
  object: (text, _, tryRepair) => readContainer(text, tryRepair, '{'),
  array: (text, _, tryRepair) => readContainer(text, tryRepair, '['),
  string: (_, text) => ({ value: text }),
}

const INTEGER = /^[+-]?[0-9]+(?:\.0+)?$/
const NUMBER = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/

/** Two spellings of true, then two of false. */
const BOOLEANS = ['true', '1', 'false', '0']

/** The number in a string, or undefined if it is too large. */
function finite(text: string, form: RegExp): { value: number } | undefined {
  const value = Number(text)
  return form.test(text) && Number.isFinite(value) ? { value } : undefined
}

function readContainer(
  text: string,
  tryRepair: TryRepair,
  opening = '{[',
): { value: unknown } | undefined {
  if (!opening.includes(text[0] ?? ' ')) return undefined
  try {
    return readStrictly(text)
  } catch {
    // It is not JSON: maybe a Python literal, or JSON that was escaped twice. Otherwise it remains
    // a string.
    return readLoosely(text, tryRepair) ?? readEscaped(text, tryRepair)
  }
}

/** Reads `{\"a\": 1}`, with the backslashes in the text. */
function readEscaped(text: string, tryRepair: TryRepair): { value: unknown } | undefined {
  if (!text.includes('\\"')) return undefined
  try {
    const found = readStrictly(JSON.parse(`"${text}"`) as string)
    return found && tryRepair('double-encoded') ? found : undefined
  } catch {
    // It is not escaped JSON.
    return undefined
  }
}

/** Parses JSON. Ambiguous text is rejected. */
function readStrictly(json: string): { value: unknown } | undefined {
  const value: unknown = JSON.parse(json)
  return isUsable(value) && duplicateKeyIn(json) === undefined ? { value } : undefined
}

/** True if all numbers in a value are finite and it is not nested too deeply. */
function isUsable(value: unknown, depth = 0): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  return depth < MAX_DEPTH && Object.values(value).every((inner) => isUsable(inner, depth + 1))
}

function members(value: object, schema: Schema, root: Schema, note?: NoteChange): unknown {
  let changed = false
  const entries: [string, unknown][] = []
  const names = intendedKeys(schema, Object.keys(value), root)
  for (const [i, [key, member]] of Object.entries(value).entries()) {
    const name = names[i]
    if (name !== key) note?.(name === undefined ? 'unknown-key' : 'alias-key', key, name)
    const next =
      name === undefined ? member : coerceValue(member, propertyOf(schema, name, root), root, note)
    changed ||= name !== key || next !== member
    if (name !== undefined) entries.push([name, next])
  }
  // `fromEntries` defines members, whereas assigning them could set the prototype.
  return changed ? Object.fromEntries(entries) : value
}
