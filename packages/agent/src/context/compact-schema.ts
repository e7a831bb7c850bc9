import type { Schema } from '@toolglot/core'
import { canonicalJson } from '@toolglot/permissions/internal'
import { isObject } from '../tool/json-schema.ts'
import { decodePointerPart } from '../tool/schema-document.ts'
import { boundaryAtOrBefore } from '../result/cut-result.ts'

/**
 * The parts omitted from a definition: 0: none; 1: the rest of long descriptions; 2: all
 * descriptions and limits of parameters; 3: the whole schema, replaced by a short signature.
 */
export type CompactLevel = 0 | 1 | 2 | 3

/**
 * Shortens a schema. Names, types, choices and required arguments stay, and the result accepts
 * everything that the original schema accepts.
 */
export function compactSchema(root: Schema, level: CompactLevel): Schema {
  const references: { readonly schema: Record<string, unknown>; readonly pointer: string }[] = []
  let left = MAX_SCHEMAS

  const definitions = new Map<string, Map<string, unknown>>()
  const short = compact(root, 0) as Record<string, unknown>
  // These definitions may refer to further definitions.
  for (const { schema, pointer } of references) {
    const isKnown = isDefined(pointer)
    if (!isKnown) delete schema['$ref']
  }
  for (const [keyword, members] of definitions) short[keyword] = Object.fromEntries(members)
  return short

  function compact(schema: unknown, depth: number): unknown {
    if (typeof schema === 'boolean') return schema
    if (!isObject(schema) || depth > MAX_DEPTH || left-- <= 0) return {}
    const kept: Record<string, unknown> = Object.fromEntries(
      Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
        const read = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined
        const found = read?.(value, { level, inner: (each) => compact(each, depth + 1) })
        // With fewer limits, several alternatives may match, so `oneOf` becomes `anyOf`.
        return found === undefined ? [] : [[keyword === 'oneOf' ? 'anyOf' : keyword, found]]
      }),
    )
    const pointer = schema['$ref']
    if (typeof pointer === 'string') {
      kept['$ref'] = pointer
      references.push({ schema: kept, pointer })
    }
    return kept
  }

  /**
   * True if the target of a reference is kept. Definitions are kept if something refers to them.
   */
  function isDefined(pointer: string): boolean {
    if (pointer === '#') return true
    if (!pointer.startsWith('#/')) return false
    const [first = '', name, ...inner] = pointer.slice(2).split('/').map(decodePointerPart)
    if (!DEFINITIONS.has(first)) return reach(short, [first, name, ...inner]) !== undefined
    const members = root[first]
    if (name === undefined || !isObject(members) || !Object.hasOwn(members, name)) return false
    let known = definitions.get(first)
    if (!known) definitions.set(first, (known = new Map()))
    if (!known.has(name)) known.set(name, compact(members[name], 1))
    return reach(known.get(name), inner) !== undefined
  }
}

function reach(schema: unknown, keys: readonly (string | undefined)[]): unknown {
  let found = schema
  for (const key of keys) {
    const isThere =
      key !== undefined && typeof found === 'object' && found !== null && Object.hasOwn(found, key)
    found = isThere ? (found as Record<string, unknown>)[key] : undefined
  }
  return found
}

const MAX_DEPTH = 48
/** The maximum number of schemas, more than any client sends. */
const MAX_SCHEMAS = 20_000
const DEFINITIONS: ReadonlySet<string> = new Set(['$defs', 'definitions'])
/** The maximum length of a parameter's description, in characters. */
const MAX_DESCRIPTION = 120
const MAX_DEFAULT = 40

interface Reading {
  readonly level: CompactLevel
  readonly inner: (schema: unknown) => unknown
}

/** Returns the kept part of a keyword, or undefined to leave it out. */
type Keyword = (value: unknown, reading: Reading) => unknown

const asIs: Keyword = (value) => value
const limit: Keyword = (value, { level }) => (level < 2 && !isNoLimit(value) ? value : undefined)
const one: Keyword = (value, { inner }) => inner(value)
const list: Keyword = (value, { inner }) => (Array.isArray(value) ? value.map(inner) : undefined)
const members: Keyword = (value, { inner }) =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inner(each)]))
    : undefined

/** True for the bounds of safe integers, which libraries add to every integer. */
function isNoLimit(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) >= Number.MAX_SAFE_INTEGER
}

/**
 * The keywords that a model needs to write a call. Conditions (`not`, `if`) are left out: with
 * fewer limits inside them, they would reject more values.
 */
const KEYWORDS: Readonly<Record<string, Keyword>> = {
  type: asIs,
  nullable: asIs,
  required: asIs,
  enum: asIs,
  const: asIs,
  format: asIs,
  properties: members,
  patternProperties: members,
  // The parser checks whether other arguments are allowed, so `true` and `false` are left out.
  additionalProperties: (value, { inner }) => (isObject(value) ? inner(value) : undefined),
  items: (value, reading) => (Array.isArray(value) ? list(value, reading) : one(value, reading)),
  prefixItems: list,
  anyOf: list,
  oneOf: list,
  allOf: list,
  description: (value, { level }) =>
    typeof value === 'string' && level < 2 ? shortText(value, MAX_DESCRIPTION) : undefined,
  default: (value, { level }) =>
    level < 2 && canonicalJson(value).length <= MAX_DEFAULT ? value : undefined,
  pattern: limit,
  minimum: limit,
  maximum: limit,
  exclusiveMinimum: limit,
  exclusiveMaximum: limit,
  multipleOf: limit,
  minLength: limit,
  maxLength: limit,
  minItems: limit,
  maxItems: limit,
  uniqueItems: limit,
}

/**
 * Shortens text to at most `max` characters. The result ends after a complete sentence if possible,
 * or else with an ellipsis.
 */
export function shortText(text: string, max: number): string {
  if (text.length <= max) return text
  const head = text.slice(0, boundaryAtOrBefore(text, max))
  const end = lastSentence(head, text[head.length])
  if (end >= max / 4) return head.slice(0, end).trimEnd()
  const cut = head.slice(0, boundaryAtOrBefore(head, max - 1))
  const space = cut.lastIndexOf(' ')
  return `${cut.slice(0, space > max / 2 ? space : cut.length).trimEnd()}…`
}

/** The first sentence of the text, at most `max` characters long. */
export function firstSentence(text: string, max: number): string {
  const whole = text.trim()
  for (let at = 0; at < Math.min(whole.length, max); at++)
    if (endsSentence(whole, at, whole[at + 1])) return whole.slice(0, at + 1).trimEnd()
  return shortText(whole, max)
}

/** The end of the last sentence in the text, or 0 if no sentence ends in it. */
function lastSentence(text: string, next: string | undefined): number {
  for (let at = text.length - 1; at >= 0; at--)
    if (endsSentence(text, at, text[at + 1] ?? next)) return at + 1
  return 0
}

function endsSentence(text: string, at: number, next: string | undefined): boolean {
  const sign = text[at]!
  if ('\n。！？'.includes(sign)) return true
  if (!'.!?'.includes(sign) || (next !== undefined && !' \n\t'.includes(next))) return false
  // A dot that is not the one in "e.g." or "1.".
  return sign !== '.' || !ABBREVIATION.test(text.slice(Math.max(0, at - 4), at))
}

const ABBREVIATION = /(?:^|[\s(.])(?:\p{L}|\d{1,2}|etc|vs)$/u
