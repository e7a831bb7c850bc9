// Folder: JSON Schemas, resolved and shown.
/** A JSON Schema from an untrusted source: its form is not guaranteed. */
export type LooseSchema = Readonly<Record<string, unknown>>

/** An object's own property, never an inherited one. */
export function own(object: LooseSchema, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** The maximum number of references and parts to follow: each may lead to many others. */
const MAX_STEPS = 64
/** The maximum number of names in a reference. */
const MAX_NAMES = 16

/**
 * A schema with its references and `allOf` resolved. Only references inside the schema are
 * followed, up to a limit; undefined if the limit is reached or the result is not an object.
 */
export function resolveSchema(given: unknown, root: unknown): LooseSchema | undefined {
  return resolve(given, root, { count: MAX_STEPS })
}

function resolve(given: unknown, root: unknown, left: { count: number }): LooseSchema | undefined {
  if (!isObject(given) || left.count-- <= 0) return undefined
  const reference = own(given, '$ref')
  if (reference !== undefined) {
    const found = resolve(pointedAt(reference, root), root, left)
    const { $ref: _, ...beside } = given
    return found && resolve({ ...found, ...beside }, root, left)
  }
  const all = own(given, 'allOf')
  if (!Array.isArray(all)) return given
  const { allOf: _, ...merged } = given
  let whole: LooseSchema = merged
  for (const part of all) {
    const found = resolve(part, root, left)
    if (!found) return undefined
    whole = merge(whole, found)
  }
  return whole
}

/** Merges two schemas that both apply, as far as a table or a form can show it. */
function merge(one: LooseSchema, other: LooseSchema): LooseSchema {
  const [mine, others] = [own(one, 'properties'), own(other, 'properties')]
  const required = [own(one, 'required'), own(other, 'required')].filter(Array.isArray)
  return {
    ...other,
    ...one,
    ...(isObject(mine) &&
      isObject(others) && {
        // Not spread into each other, because `__proto__` must be an ordinary name.
        properties: Object.fromEntries([...Object.entries(others), ...Object.entries(mine)]),
      }),
    ...(required.length > 0 && { required: required.flat() }),
  }
}

/** The target of a reference such as `#/$defs/a`. Other references are never fetched. */
function pointedAt(reference: unknown, root: unknown): unknown {
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference)) return undefined
  let found = root
  for (const step of reference.split('/').slice(1, MAX_NAMES)) {
    const name = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(found)) found = found[Number(name)] as unknown
    else if (isObject(found)) found = own(found, name)
    else return undefined
  }
  return found
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** True if a value is a JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
