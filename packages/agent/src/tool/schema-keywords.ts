/** What a keyword of JSON Schema contains: a schema, a list of schemas, schemas by name, or a schema or list of them. */
export type SchemaPlace = 'schema' | 'list' | 'members' | 'either'

/** The keywords that contain schemas, in all drafts. */
export const SCHEMA_PLACES: ReadonlyMap<string, SchemaPlace> = new Map<string, SchemaPlace>([
  ...places(
    'members',
    'properties patternProperties $defs definitions dependentSchemas dependencies',
  ),
  ...places('list', 'anyOf oneOf allOf prefixItems'),
  ...places('either', 'items'),
  ...places(
    'schema',
    'additionalProperties additionalItems unevaluatedProperties unevaluatedItems propertyNames contains not if then else',
  ),
])

function places(place: SchemaPlace, keywords: string): [string, SchemaPlace][] {
  return keywords.split(' ').map((keyword) => [keyword, place])
}

/** A schema directly inside another: in a keyword, and there under a key unless it is the only one. */
export interface InnerSchema {
  readonly keyword: string
  readonly key?: string
  readonly inner: unknown
}

/** The schemas directly inside a schema. What is not a schema is left out. */
export function innerSchemas(schema: Readonly<Record<string, unknown>>): readonly InnerSchema[] {
  const found: InnerSchema[] = []
  for (const keyword in schema) {
    const place = SCHEMA_PLACES.get(keyword)
    if (place === undefined) continue
    const value = schema[keyword]
    if (place === 'schema' || (place === 'either' && !Array.isArray(value)))
      found.push({ keyword, inner: value })
    else if (typeof value === 'object' && value !== null)
      for (const key of Object.keys(value)) {
        const inner = (value as Record<string, unknown>)[key]
        // In older drafts, some dependencies are lists of names.
        if (keyword !== 'dependencies' || !Array.isArray(inner)) found.push({ keyword, key, inner })
      }
  }
  return found
}
