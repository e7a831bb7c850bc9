import type { Schema } from '@toolglot/core'
import { checkArguments } from './check-arguments.ts'
import { isObject } from './json-schema.ts'
import { SCHEMA_PLACES } from './schema-keywords.ts'

/**
 * The problems of arguments with the schema of a tool that somebody else defined and runs, a line each. The schema must have
 * no `schemaProblem`. Its patterns and formats are not tried: a foreign pattern may take forever on what a model wrote.
 */
export async function argumentProblems(
  parameters: Schema,
  args: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> {
  let plain = plainSchemas.get(parameters)
  if (!plain) plainSchemas.set(parameters, (plain = withoutPatterns(parameters) as Schema))
  const checked = await checkArguments(plain, args)
  return 'problems' in checked ? checked.problems : []
}

const plainSchemas = new WeakMap<Schema, Schema>()

function withoutPatterns(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (PATTERNS.has(keyword)) return []
    // It would refuse what a pattern allows.
    if (CLOSED.has(keyword) && schema['patternProperties'] !== undefined) return []
    if (keyword === 'type') return [[keyword, lowerCase(value)]]
    return [[keyword, SCHEMA_PLACES.has(keyword) ? innerWithoutPatterns(keyword, value) : value]]
  })
  const plain = Object.fromEntries(entries) as Record<string, unknown>
  const { type, nullable, enum: values } = plain
  if (nullable !== true) return plain
  // OpenAPI's way to allow null.
  return typeof type === 'string' && values === undefined
    ? { ...plain, type: [type, 'null'] }
    : { anyOf: [{ type: 'null' }, plain] }
}

function lowerCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowerCase)
  return typeof value === 'string' ? value.toLowerCase() : value
}

function innerWithoutPatterns(keyword: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPatterns)
  if (SCHEMA_PLACES.get(keyword) !== 'members' || !isObject(value)) return withoutPatterns(value)
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withoutPatterns(inner)]),
  )
}

const PATTERNS: ReadonlySet<string> = new Set(['pattern', 'patternProperties', 'format'])
const CLOSED: ReadonlySet<string> = new Set(['additionalProperties', 'unevaluatedProperties'])
