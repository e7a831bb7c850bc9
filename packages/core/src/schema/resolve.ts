import type { Schema } from '../protocol.ts'
import { kept } from '../read/cached.ts'

/** The schema itself, or the target of its local `$ref`. Undefined if it cannot be resolved. */
export function resolve(schema: unknown, root: Schema): Schema | undefined {
  let current = schema
  for (let hops = 0; hops < MAX_HOPS; hops++) {
    if (!isSchema(current)) return undefined
    const { $ref, jsonSchema } = current
    // Some libraries wrap a schema in an object.
    if (isSchema(jsonSchema)) current = jsonSchema
    else if (typeof $ref !== 'string') return current
    else
      current =
        // References come from untrusted schemas, so their length is limited.
        $ref.startsWith('#') && $ref.length < MAX_REFERENCE
          ? reach(root, $ref.split('/').slice(1).map(unescapeStep))
          : undefined
  }
  return undefined
}

/** True for an object that is not a list. */
export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A keyword's value if it is the schema's own property, since a schema may come from anyone. */
export function own(schema: Schema, keyword: string): unknown {
  return Object.hasOwn(schema, keyword) ? schema[keyword] : undefined
}

/**
 * The maximum number of parts of a schema to examine. Schemas may come from untrusted sources and
 * must not delay other users.
 */
export const MAX_PARTS = 99

/** A schema, its branches, and theirs, with references resolved, up to a maximum number. */
export function facetsOf(schema: unknown, root: Schema): readonly Schema[] {
  const first = resolve(schema, root)
  if (!first) return []
  return kept(
    kept(known, root, () => new WeakMap()),
    first,
    () => {
      let left = MAX_PARTS
      // A schema may refer to itself. The loop also visits facets added while it runs.
      const facets = new Set([first])
      for (const facet of facets)
        for (const branch of branchesOf(facet)) {
          const found = resolve(branch, root)
          if (found) facets.add(found)
          if (left-- <= 0) return [...facets]
        }
      return [...facets]
    },
  )
}

const known = new WeakMap<Schema, WeakMap<Schema, readonly Schema[]>>()

/** The part of a schema that has `keyword`: the schema itself, or its only branch that does. */
export function partWith(
  schema: unknown,
  root: Schema,
  keyword: 'items' | 'properties',
): Schema | undefined {
  const facets = facetsOf(schema, root)
  const matching = facets.filter((facet) => isSchema(own(facet, keyword)))
  return matching.length === 1 ? matching[0] : facets[0]
}

/** The branches of a schema. */
export function branchesOf(schema: Schema): unknown[] {
  return ['anyOf', 'oneOf', 'allOf'].flatMap((union): unknown => own(schema, union) ?? [])
}

const MAX_HOPS = 16
const MAX_REFERENCE = 1000

/** Decodes a key in a JSON pointer. */
function unescapeStep(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** The value found by descending into an object key by key. */
export function reach(object: unknown, keys: readonly string[]): unknown {
  let value = object
  for (const key of keys) value = isSchema(value) ? own(value, key) : undefined
  return value
}
