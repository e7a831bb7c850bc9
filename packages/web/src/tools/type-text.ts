import { canonicalJson } from '@toolglot/permissions/internal'
import type { LooseSchema } from '../schema/resolve-schema.ts'
import { listOf, resolved } from './schema-of.ts'

/** How deep a type is written out. */
const MAX_DEPTH = 3
/** How many alternatives are written out. */
const MAX_ALTERNATIVES = 5
const MAX_LENGTH = 120

/** The type of a schema as a person writes it: `string | null`, `integer[]`, `object`. */
export function typeText(value: unknown, root: LooseSchema, depth = 0): string {
  const schema = resolved(value, root)
  if (schema === true) return 'any'
  if (schema === false) return 'never'
  if (depth > MAX_DEPTH) return '…'
  const text = alternatives(schema, root, depth) ?? plainType(schema, root, depth)
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
}

function alternatives(schema: LooseSchema, root: LooseSchema, depth: number): string | undefined {
  const given = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])]
  if (given.length > 0)
    return unionOf(
      given.slice(0, MAX_ALTERNATIVES + 1).map((each) => typeText(each, root, depth + 1)),
    )
  if ('const' in schema) return literal(schema['const'])
  const words = listOf(schema['enum'])
  if (words.length > 0 && schema['type'] === undefined)
    return unionOf(words.map((word) => (word === null ? 'null' : typeof word)))
  return undefined
}

function plainType(schema: LooseSchema, root: LooseSchema, depth: number): string {
  const { type, $ref } = schema
  if (Array.isArray(type))
    return unionOf(
      [...new Set(type.map(String))]
        .slice(0, 8)
        .map((each) => plainType({ ...schema, type: each }, root, depth)),
    )
  if (type === 'array' || (type === undefined && ('items' in schema || 'prefixItems' in schema)))
    return listType(schema, root, depth)
  if (type === 'object' || (type === undefined && 'properties' in schema))
    return objectType(schema, root, depth)
  if (typeof type === 'string') return type
  if (typeof $ref === 'string') return $ref.split('/').at(-1) || $ref
  return 'any'
}

function listType(schema: LooseSchema, root: LooseSchema, depth: number): string {
  const first = listOf(schema['prefixItems'] ?? schema['items'])
  if (first.length > 0)
    return `[${first
      .slice(0, MAX_ALTERNATIVES)
      .map((each) => typeText(each, root, depth + 1))
      .join(', ')}${first.length > MAX_ALTERNATIVES ? ', …' : ''}]`
  if (schema['items'] === undefined) return 'any[]'
  const item = typeText(schema['items'], root, depth + 1)
  return / /.test(item) ? `(${item})[]` : `${item}[]`
}

function objectType(schema: LooseSchema, root: LooseSchema, depth: number): string {
  const others = schema['additionalProperties']
  const hasMembers = typeof schema['properties'] === 'object'
  return typeof others === 'object' && others !== null && !hasMembers
    ? `{ [name]: ${typeText(others, root, depth + 1)} }`
    : 'object'
}

function unionOf(texts: readonly string[]): string {
  const all = [...new Set(texts)]
  const shown = all.slice(0, MAX_ALTERNATIVES).join(' | ')
  return all.length > MAX_ALTERNATIVES ? `${shown} | …` : shown
}

/** A value as JSON, cut if it is long. */
export function literal(value: unknown): string {
  const text = canonicalJson(value)
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
}
