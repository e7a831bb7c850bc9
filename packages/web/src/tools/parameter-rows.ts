import { isObject, type LooseSchema } from '../schema/resolve-schema.ts'
import { listOf, membersOf, resolved } from './listed-tool.ts'
import { canonicalJson } from '@toolglot/permissions/internal'

/** A parameter of a tool, or a member of a parameter. */
export interface ParameterRow {
  /** Unique among the rows. */
  readonly id: number
  readonly name: string
  /** 0 for a parameter, 1 for its members. */
  readonly depth: number
  readonly type: string
  readonly isRequired: boolean
  readonly about: string
  /** As JSON. */
  readonly default?: string
  /** As JSON. */
  readonly choices: readonly string[]
  /** The number of omitted choices. */
  readonly moreChoices: number
  /** Other constraints on the value. */
  readonly limits: readonly Limit[]
}

/** A constraint on a value, its length or its number of items: `≥ 1`, `/^a/`. */
export interface Limit {
  readonly of: 'value' | 'length' | 'items'
  readonly text: string
}

/** The parameters to show. `isCut` is true if there are more. */
export interface ParameterRows {
  readonly rows: readonly ParameterRow[]
  readonly isCut: boolean
}

const MAX_ROWS = 150
const MAX_DEPTH = 6
/** A schema can refer to itself endlessly. */
const MAX_STEPS = 500
const MAX_CHOICES = 24

/**
 * The parameters of a tool; those that are objects or lists of objects are followed by their
 * members.
 */
export function parameterRows(schema: unknown, maxRows = MAX_ROWS): ParameterRows {
  const root = isObject(schema) ? schema : {}
  const rows: ParameterRow[] = []
  let isCut = false
  let steps = 0
  addMembers(root, 0, [])
  return { rows, isCut }

  function addMembers(value: unknown, depth: number, above: readonly unknown[]): void {
    const owner = resolved(value, root)
    if (typeof owner === 'boolean') return
    const required = new Set(listOf(owner['required']))
    for (const [name, member] of membersOf(owner['properties'])) {
      if (rows.length >= maxRows) {
        isCut = true
        return
      }
      rows.push(rowOf(name, member, depth, required.has(name)))
      addInner(member, depth + 1, above)
    }
  }

  /** Adds the members of a list's items, or of each alternative. */
  function addInner(value: unknown, depth: number, above: readonly unknown[]): void {
    const schema = resolved(value, root)
    if (typeof schema === 'boolean') return
    const isKnown = above.some((each) => each === schema['properties'] && each !== undefined)
    if (depth > MAX_DEPTH || ++steps > MAX_STEPS || isKnown) {
      isCut ||= !isKnown && schema['properties'] !== undefined
      return
    }
    const within = [...above, schema['properties']]
    addMembers(schema, depth, within)
    if (isObject(schema['items'])) addInner(schema['items'], depth, within)
    if (isObject(schema['additionalProperties']))
      addInner(schema['additionalProperties'], depth, within)
    const others = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])]
    for (const each of others) addInner(each, depth, within)
  }

  function rowOf(name: string, value: unknown, depth: number, isRequired: boolean): ParameterRow {
    const schema = resolved(value, root)
    const known: LooseSchema = typeof schema === 'boolean' ? {} : schema
    const { description, title } = known
    const items = resolved(known['items'] ?? true, root)
    const choices = listOf(known['enum'] ?? (typeof items === 'object' ? items['enum'] : undefined))
    return {
      id: rows.length,
      name,
      depth,
      type: typeText(value, root),
      isRequired,
      about: typeof description === 'string' ? description : typeof title === 'string' ? title : '',
      default: 'default' in known ? literal(known['default']) : undefined,
      choices: choices.slice(0, MAX_CHOICES).map(literal),
      moreChoices: Math.max(0, choices.length - MAX_CHOICES),
      limits: limitsOf(known),
    }
  }
}

/** A schema's constraints on a value besides its type. */
function limitsOf(schema: LooseSchema): readonly Limit[] {
  const texts = ['pattern', 'format'].flatMap((key) => {
    const value = schema[key]
    return typeof value === 'string' ? [key === 'pattern' ? `/${value}/` : value] : []
  })
  const shortest = schema['minLength'] === 1 ? undefined : schema['minLength']
  const limits = (of: Limit['of'], all: readonly string[]): readonly Limit[] =>
    all.map((text) => ({ of, text: text.length > 120 ? `${text.slice(0, 120)}…` : text }))
  return [
    ...limits('value', rangeOf(schema['minimum'], schema['maximum'])),
    ...limits(
      'value',
      rangeOf(schema['exclusiveMinimum'], schema['exclusiveMaximum'], ['> ', '< ']),
    ),
    ...limits('length', rangeOf(shortest, schema['maxLength'])),
    ...limits('items', rangeOf(schema['minItems'], schema['maxItems'])),
    ...limits('value', texts),
  ]
}

/** `≥ 1`, `≤ 20`, `1–20`; empty for the limits that every integer has. */
function rangeOf(
  from: unknown,
  to: unknown,
  signs: readonly [string, string] = ['≥ ', '≤ '],
): readonly string[] {
  const [least, most] = [from, to].map((each) =>
    typeof each === 'number' && Math.abs(each) < Number.MAX_SAFE_INTEGER ? each : undefined,
  )
  if (least !== undefined && most !== undefined && signs[0] === '≥ ') return [`${least}–${most}`]
  return [
    ...(least === undefined ? [] : [`${signs[0]}${least}`]),
    ...(most === undefined ? [] : [`${signs[1]}${most}`]),
  ]
}

/** The maximum nesting of a displayed type. */
const MAX_TYPE_DEPTH = 3
/** The maximum number of displayed alternatives. */
const MAX_ALTERNATIVES = 5
const MAX_LENGTH = 120

/** The type of a schema in short notation: `string | null`, `integer[]`, `object`. */
export function typeText(value: unknown, root: LooseSchema, depth = 0): string {
  const schema = resolved(value, root)
  if (schema === true) return 'any'
  if (schema === false) return 'never'
  if (depth > MAX_TYPE_DEPTH) return '…'
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

/** A value as JSON, truncated if it is long. */
function literal(value: unknown): string {
  const text = canonicalJson(value)
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
}
