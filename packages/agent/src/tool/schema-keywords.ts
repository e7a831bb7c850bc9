/** What a keyword of JSON Schema contains: a schema, a list of schemas, schemas by name, or a schema or list of them. */
export type SchemaPlace = 'schema' | 'list' | 'members' | 'either'

/** The keywords that contain schemas, in all drafts. */
export const SCHEMA_PLACES: ReadonlyMap<string, SchemaPlace> = new Map<string, SchemaPlace>([
  ...places('members', 'properties patternProperties $defs definitions dependentSchemas'),
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

/** The schemas directly inside a schema, with the keys that lead to them. What is not a schema is left out. */
export function innerSchemas(
  schema: Readonly<Record<string, unknown>>,
): readonly { readonly keys: readonly string[]; readonly inner: unknown }[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const place = SCHEMA_PLACES.get(keyword)
    if (place === undefined || typeof value !== 'object' || value === null)
      return place === 'schema' || place === 'either' ? [{ keys: [keyword], inner: value }] : []
    const isOne = place === 'schema' || (place === 'either' && !Array.isArray(value))
    if (isOne) return [{ keys: [keyword], inner: value }]
    return Object.entries(value).map(([key, inner]) => ({ keys: [keyword, key], inner }))
  })
}
