import type { Schema } from '@toolglot/core'
import { isObject } from './json-schema.ts'

/**
 * The content of a JSON Schema keyword: a schema, a list of schemas, schemas by name, or a schema
 * or list.
 */
type SchemaPlace = 'schema' | 'list' | 'members' | 'either'

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

/**
 * A schema directly inside another one: its keyword, and its key if the keyword contains several.
 */
interface InnerSchema {
  readonly keyword: string
  readonly key?: string
  readonly inner: unknown
}

/** The schemas directly inside a schema. Other values are skipped. */
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

/** A schema that cannot be used. The message completes "its schema …". */
export class UnusableSchema extends Error {
  override readonly name = 'UnusableSchema'
}

/** The keywords that refer to a schema elsewhere in the document. */
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'] as const
/** The keywords whose schemas apply to the same value. */
const SAME_VALUE: ReadonlySet<string> = new Set([
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas', 'dependencies'],
])
const NAMES = ['$id', '$anchor', '$dynamicAnchor'] as const
const NONE: readonly unknown[] = []
const MAX_REFERENCE = 1000
/** The maximum number of schemas, more than any client sends. */
const MAX_SCHEMAS = 10_000
/** The base of relative names. Nothing is ever fetched. */
const ROOT = 'schema://root/'

/** A schema and its base URI. */
type Place = readonly [unknown, string]

/** A JSON Schema with all targets of its references. */
export class SchemaDocument {
  /** True if it contains `unevaluatedProperties` or `unevaluatedItems`. */
  hasUnevaluated = false
  readonly #root: Schema
  /** The base URI of each schema. */
  readonly #bases = new Map<Readonly<Record<string, unknown>>, string>()
  readonly #named = new Map<string, unknown>()
  #nested: boolean | undefined
  /** Targets by base URI and reference, because many references are equal. */
  readonly #referred = new Map<string, Map<unknown, unknown>>()
  readonly #targets = new Map<object, readonly unknown[]>()

  constructor(root: Schema) {
    this.#root = root
    this.#named.set(ROOT, root)
    const referred: Place[] = []
    this.#add([[root, ROOT]], referred)
    // References may point to places where no keyword expects a schema.
    this.#add(referred, referred)
  }

  #add(places: Place[], referred: Place[]): void {
    for (const [schema, base] of places) {
      if (!isObject(schema) || this.#bases.has(schema)) continue
      const own = this.#addNames(schema, base)
      this.#bases.set(schema, own)
      if (this.#bases.size > MAX_SCHEMAS)
        throw new UnusableSchema(`consists of more than ${MAX_SCHEMAS} schemas. Simplify it`)
      this.hasUnevaluated ||= 'unevaluatedProperties' in schema || 'unevaluatedItems' in schema
      for (const { inner } of innerSchemas(schema)) if (isObject(inner)) places.push([inner, own])
      const { $ref } = schema
      if (typeof $ref !== 'string' || !$ref.startsWith('#/') || $ref.length > MAX_REFERENCE)
        continue
      const known = this.#referredFrom(own)
      if (known.has($ref)) continue
      const target = follow(this.#named.get(own), decoded($ref.slice(1)))
      known.set($ref, target)
      referred.push([target, own])
    }
  }

  /** Returns the base URI inside the schema. */
  #addNames(schema: Readonly<Record<string, unknown>>, base: string): string {
    if (!NAMES.some((keyword) => keyword in schema)) return base
    const id = typeof schema['$id'] === 'string' ? resolveUri(schema['$id'], base) : undefined
    // In older drafts, `#name` was an anchor.
    const own = id === undefined || id.includes('#') ? base : id
    for (const name of [id, anchor(schema['$anchor']), anchor(schema['$dynamicAnchor'])])
      if (name !== undefined && !this.#named.has(name)) this.#named.set(name, schema)
    return own

    function anchor(name: unknown): string | undefined {
      return typeof name === 'string' ? `${own}#${name}` : undefined
    }
  }

  /** All schemas in the document. */
  get schemas(): Iterable<Readonly<Record<string, unknown>>> {
    return this.#bases.keys()
  }

  /**
   * The schemas that a schema applies to the same value. Throws an UnusableSchema if one of them
   * does not exist.
   */
  appliedBy(schema: Readonly<Record<string, unknown>>): readonly unknown[] {
    const targets = this.targetsOf(schema)
    let applied: unknown[] | undefined
    for (const keyword in schema) {
      if (!SAME_VALUE.has(keyword)) continue
      applied ??= [...targets]
      for (const { inner } of innerSchemas({ [keyword]: schema[keyword] })) applied.push(inner)
    }
    return applied ?? targets
  }

  /**
   * The schemas that a schema refers to. Throws an UnusableSchema if one of them does not exist.
   */
  targetsOf(schema: Readonly<Record<string, unknown>>): readonly unknown[] {
    if (!('$ref' in schema || '$dynamicRef' in schema || '$recursiveRef' in schema)) return NONE
    let targets = this.#targets.get(schema)
    if (!targets) {
      targets = REFERENCES.filter((keyword) => schema[keyword] !== undefined).map((keyword) => {
        if (keyword !== '$ref' && this.#isNested)
          throw new UnusableSchema(`uses ${keyword} together with $id. Write $ref instead.`)
        return this.#target(schema[keyword], this.#bases.get(schema) ?? ROOT)
      })
      this.#targets.set(schema, targets)
    }
    return targets
  }

  /**
   * True if it contains other documents. Then the target of a dynamic reference depends on the path
   * to the reference.
   */
  get #isNested(): boolean {
    return (this.#nested ??= [...this.#named].some(
      ([name, schema]) => !name.includes('#') && schema !== this.#root,
    ))
  }

  #referredFrom(base: string): Map<unknown, unknown> {
    let known = this.#referred.get(base)
    if (!known) this.#referred.set(base, (known = new Map()))
    return known
  }

  #target(reference: unknown, base: string): unknown {
    const known = this.#referredFrom(base)
    let found = known.get(reference)
    if (found !== undefined) return found
    const shown = (): string => (JSON.stringify(reference) ?? '').slice(0, 80)
    if (typeof reference !== 'string' || reference.length > MAX_REFERENCE)
      throw new UnusableSchema(`has an invalid reference: ${shown()}`)
    const uri = resolveUri(reference, base) ?? ''
    const [whole = '', pointer = ''] = uri.split('#/')
    found =
      pointer === '' ? this.#named.get(uri) : follow(this.#named.get(whole), `/${decoded(pointer)}`)
    if (found === undefined)
      throw new UnusableSchema(`refers to ${shown()}, which it does not contain`)
    known.set(reference, found)
    return found
  }
}

/** Resolves a reference to a URI without an empty fragment. */
function resolveUri(reference: string, base: string): string | undefined {
  if (reference.startsWith('#')) return reference === '#' ? base : base + reference
  try {
    return new URL(reference, base).href.replace(/#$/, '')
  } catch {
    return undefined
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The value at a JSON Pointer, or undefined if there is none. */
export function follow(root: unknown, pointer: string): unknown {
  let found = root
  for (const part of pointer.split('/').slice(1)) {
    const key = decodePointerPart(part)
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = (found as Record<string, unknown>)[key]
  }
  return found
}

/** Decodes a part of a JSON Pointer. */
export function decodePointerPart(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}
