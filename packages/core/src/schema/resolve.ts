import type { Schema } from '../protocol.ts'

/** The schema itself, or what its local `$ref` points to. Undefined: it is not usable here. */
export function resolve(schema: unknown, root: Schema): Schema | undefined {
  let current = schema
  for (let hops = 0; hops < MAX_HOPS; hops++) {
    if (!isSchema(current)) return undefined
    const { $ref, jsonSchema } = current
    // Some libraries wrap a schema in an object.
    if (isSchema(jsonSchema)) current = jsonSchema
    else if (typeof $ref !== 'string') return current
    else current = $ref.startsWith('#') ? follow(root, $ref.slice(1)) : undefined
  }
  return undefined
}

/** Whether a value is an object, and not a list. */
export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A keyword's value, if it is the schema's own property: a schema may come from anywhere. */
export function own(schema: Schema, keyword: string): unknown {
  return Object.hasOwn(schema, keyword) ? schema[keyword] : undefined
}

/** A schema, its branches, and theirs, with references resolved. */
export function facetsOf(schema: unknown, root: Schema): Schema[] {
  const facets = new Set<Schema>()
  const visit = (part: unknown): void => {
    const found = resolve(part, root)
    // A schema may refer to itself.
    if (!found || facets.has(found)) return
    facets.add(found)
    branchesOf(found).forEach(visit)
  }
  visit(schema)
  return [...facets]
}

/** The part of a schema that has `keyword`: itself, or the only one of its branches that does. */
export function partWith(
  schema: unknown,
  root: Schema,
  keyword: 'items' | 'properties',
): Schema | undefined {
  const facets = facetsOf(schema, root)
  const matching = facets.filter((facet) => isSchema(own(facet, keyword)))
  return matching.length === 1 ? matching[0] : facets[0]
}

/** The alternatives and parts of a schema. */
export function branchesOf(schema: Schema): unknown[] {
  return ['anyOf', 'oneOf', 'allOf'].flatMap((union): unknown => own(schema, union) ?? [])
}

const MAX_HOPS = 16

/** What a JSON pointer points to. */
function follow(root: Schema, pointer: string): unknown {
  const steps = pointer.split('/').slice(1)
  return reach(
    root,
    steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')),
  )
}

/** What is found by descending into an object, key by key. */
export function reach(object: unknown, keys: readonly string[]): unknown {
  let value = object
  for (const key of keys) value = isSchema(value) ? own(value, key) : undefined
  return value
}
