import type { Schema } from '@toolglot/core'
import { describeValue } from '@toolglot/permissions/errors/internal'
import { isObject } from './json-schema.ts'
import {
  innerSchemas,
  SCHEMA_PLACES,
  follow,
  SchemaDocument,
  UnusableSchema,
} from './schema-document.ts'
import { compilePattern } from './pattern.ts'

/**
 * The problem with a tool's parameters as a JSON Schema, with its path, or undefined if they are
 * usable. Keywords of any draft, of OpenAPI and unknown ones are allowed; only ambiguous ones are a
 * problem. The number of schemas counts toward the budget, which several tools may share.
 */
export function schemaProblem(
  parameters: unknown,
  budget: { schemas: number } = { schemas: MAX_SCHEMAS },
): string | undefined {
  if (!isObject(parameters)) return problem([], 'an object', parameters)
  const types = [parameters['type'] ?? 'object'].flat()
  if (types.every(isType) && !types.some((type) => /^object$/i.test(type)))
    return problem(['type'], '"object", because arguments have names', parameters['type'])
  // A queue instead of recursion: outer schemas are checked before inner ones.
  const pending: Place[] = [{ schema: parameters, depth: 0 }]
  /** Valid references, to check equal ones only once. */
  const checked = new Set<unknown>()
  for (const place of pending) {
    const { schema, depth } = place
    if (depth > MAX_DEPTH || pending.length > Math.min(MAX_SCHEMAS, budget.schemas))
      return `${pathOf(keysOf(place))}: the schema is too large. Write a smaller one.`
    if (typeof schema === 'boolean') continue
    if (!isObject(schema)) return problem(keysOf(place), 'a schema', schema)
    for (const keyword of Object.keys(schema)) {
      const value = schema[keyword]
      const isReference = keyword === '$ref' && !checked.has(value)
      const found =
        keywordProblem(keyword, value) ??
        (isReference ? referenceProblem(value, parameters) : undefined)
      if (found !== undefined) return `${pathOf([...keysOf(place), keyword])}: ${found}`
      if (isReference) checked.add(value)
    }
    for (const { keyword, key, inner } of innerSchemas(schema))
      pending.push({ schema: inner, depth: depth + 1, within: { place, keyword, key } })
  }
  budget.schemas -= pending.length
  const fault = schemaFault(parameters)
  return fault && `parameters: the schema ${fault}.`
}

interface Place {
  readonly schema: unknown
  readonly depth: number
  readonly within?: {
    readonly place: Place
    readonly keyword: string
    readonly key: string | undefined
  }
}

function keysOf(place: Place): readonly string[] {
  const keys: string[] = []
  for (let { within } = place; within; { within } = within.place)
    keys.push(...(within.key === undefined ? [] : [within.key]), within.keyword)
  return keys.reverse()
}

/** Deeper than any schema a client sends. */
const MAX_DEPTH = 64
const MAX_SCHEMAS = 10_000

function problem(keys: readonly string[], expected: string, value: unknown): string {
  return `${pathOf(keys)}: ${wrong(expected, value)}`
}

function wrong(expected: string, value: unknown): string {
  return `must be ${expected}, not ${describeValue(value)}`
}

function pathOf(keys: readonly string[]): string {
  const names = keys.map((key) => (key.length > 80 ? `${key.slice(0, 80)}…` : key))
  const shown = names.length > 12 ? [...names.slice(0, 6), '…', ...names.slice(-6)] : names
  return ['parameters', ...shown].join('.')
}

function keywordProblem(keyword: string, value: unknown): string | undefined {
  const place = SCHEMA_PLACES.get(keyword)
  if (place === 'members')
    return isObject(value) ? undefined : wrong('an object with schemas by name', value)
  if (place === 'list') return Array.isArray(value) ? undefined : wrong('a list of schemas', value)
  const rule = RULES.get(keyword)
  return !rule || rule.test(value) ? undefined : wrong(rule.expected, value)
}

interface Rule {
  readonly expected: string
  readonly test: (value: unknown) => boolean
}

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']

/** Some APIs write types in capitals. */
function isType(value: unknown): value is string {
  return typeof value === 'string' && TYPES.includes(value.toLowerCase())
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

const text: Rule = { expected: 'text', test: (value) => isText(value) || value === null }
const names: Rule = {
  expected: 'a list of names',
  test: (value) => Array.isArray(value) && value.every(isText),
}
const count: Rule = {
  expected: 'a number that is not negative',
  test: (value) => typeof value === 'number' && value >= 0,
}
const number: Rule = { expected: 'a number', test: (value) => typeof value === 'number' }
/** In draft 4 and thus OpenAPI 3.0, these are booleans. */
const limit: Rule = {
  expected: 'a number',
  test: (value) => typeof value === 'number' || typeof value === 'boolean',
}
const flag: Rule = { expected: 'true or false', test: (value) => typeof value === 'boolean' }

const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  [
    'type',
    {
      expected: `one of ${TYPES.join(', ')}, or a list of them`,
      test: (value) =>
        isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType)),
    },
  ],
  ['required', names],
  ['enum', { expected: 'a list of values', test: Array.isArray }],
  ['description', text],
  ['nullable', flag],
  ['uniqueItems', flag],
  ['pattern', { expected: 'a regular expression', test: isText }],
  ...['minimum', 'maximum', 'multipleOf'].map((keyword): [string, Rule] => [keyword, number]),
  ...['exclusiveMinimum', 'exclusiveMaximum'].map((keyword): [string, Rule] => [keyword, limit]),
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map(
    (keyword): [string, Rule] => [keyword, count],
  ),
])

function referenceProblem(value: unknown, root: object): string | undefined {
  if (typeof value !== 'string') return wrong('a reference', value)
  if (!value.startsWith('#'))
    return `${wrong('a reference inside the schema, such as "#/$defs/name"', value)}. Move the schema it refers to into $defs.`
  const isThere = value === '#' || follow(root, value.slice(1)) !== undefined
  return isThere || !value.startsWith('#/')
    ? undefined
    : wrong('a reference to a part of the schema', value)
}

/**
 * The reason why no validator could apply a schema to any value, or undefined if it is usable. The
 * reason completes "its schema …". Our own validator applies a schema only once per value, but
 * other validators may repeat it.
 */
export function schemaFault(root: Schema): string | undefined {
  try {
    const document = new SchemaDocument(root)
    const counts = new Map<unknown, number | undefined>()
    let inPatterns = 0
    for (const schema of document.schemas) {
      countApplied(schema, document, counts)
      const { pattern, patternProperties } = schema
      if (typeof pattern === 'string') inPatterns += compilePattern(pattern).size
      if (isObject(patternProperties))
        for (const each of Object.keys(patternProperties)) inPatterns += compilePattern(each).size
      if (inPatterns > MAX_IN_PATTERNS) return 'has too many patterns'
    }
    return undefined
  } catch (error) {
    if (error instanceof UnusableSchema) return error.message
    throw error
  }
}

const MAX_APPLIED = 100_000
const MAX_IN_PATTERNS = 20_000

/**
 * Counts the schemas applied to a value because this one is, following each reference. While the
 * count of a schema is being computed, it is undefined.
 */
function countApplied(
  first: unknown,
  document: SchemaDocument,
  counts: Map<unknown, number | undefined>,
): void {
  // A stack instead of recursion, because references can form long chains.
  const pending = [first]
  while (pending.length > 0) {
    const schema = pending.at(-1)
    if (!isObject(schema) || counts.get(schema) !== undefined) {
      pending.pop()
      continue
    }
    let sum = 1
    let isKnown = true
    for (const inner of document.appliedBy(schema)) {
      const count = isObject(inner) ? counts.get(inner) : 1
      sum += count ?? 0
      if (count !== undefined) continue
      if (counts.has(inner)) throw new UnusableSchema('refers to itself endlessly. Simplify it')
      if (isKnown) counts.set(schema, undefined)
      isKnown = false
      pending.push(inner)
    }
    if (sum > MAX_APPLIED)
      throw new UnusableSchema(
        `applies more than ${MAX_APPLIED} schemas to one value, because its references multiply. Simplify it`,
      )
    // Otherwise, count the schemas it applies first.
    if (isKnown) counts.set(schema, sum)
  }
}
