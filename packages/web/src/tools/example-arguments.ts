import { isObject } from '../schema/is-object.ts'
import type { LooseSchema } from '../schema/resolve-schema.ts'
import { listOf, membersOf, resolved } from './schema-of.ts'

const MAX_DEPTH = 4

/** Arguments that a call of a tool could have: those that are required, or else the first. */
export function exampleArguments(parameters: unknown): Readonly<Record<string, unknown>> {
  const root = isObject(parameters) ? parameters : {}
  return objectOf(resolved(root, root), root, 0)
}

function objectOf(
  schema: LooseSchema | boolean,
  root: LooseSchema,
  depth: number,
): Readonly<Record<string, unknown>> {
  if (typeof schema === 'boolean') return {}
  const required = new Set(listOf(schema['required']))
  const all = membersOf(schema['properties'])
  const needed = all.filter(([name]) => required.has(name)).slice(0, depth === 0 ? 20 : 5)
  const shown = needed.length > 0 ? needed : all.slice(0, 1)
  return Object.fromEntries(shown.map(([name, each]) => [name, exampleOf(each, root, depth + 1)]))
}

function exampleOf(value: unknown, root: LooseSchema, depth: number): unknown {
  const schema = resolved(value, root)
  if (typeof schema === 'boolean' || depth > MAX_DEPTH) return 'value'
  const [example] = listOf(schema['examples'])
  const [choice] = listOf(schema['enum'])
  for (const given of [example, schema['default'], schema['const'], choice])
    if (given !== undefined) return given
  const [other] = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])]
  if (other !== undefined) return exampleOf(other, root, depth + 1)
  const type = [schema['type']].flat()[0]
  if (type === 'array' || 'items' in schema) return [exampleOf(schema['items'], root, depth + 1)]
  if (type === 'object' || 'properties' in schema) return objectOf(schema, root, depth)
  if (type === 'boolean') return true
  if (type === 'null') return null
  if (type === 'integer' || type === 'number')
    return typeof schema['minimum'] === 'number' ? Math.max(1, schema['minimum']) : 1
  return 'value'
}
