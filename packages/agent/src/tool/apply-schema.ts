import { isObject } from './json-schema.ts'
import type { SchemaDocument } from './schema-document.ts'

/** A schema to apply to a value. */
export type Application = readonly [schema: unknown, value: unknown]

/**
 * A message or a nested outcome that caused a failure, with the key of the part of the value that
 * it refers to.
 */
export type Failure = string | readonly [Outcome, string | undefined]

/** The outcome of applying a schema to a value. */
export interface Outcome {
  readonly failures: readonly Failure[]
  /** The evaluated keys, if the document contains keywords that depend on them. */
  readonly evaluated: ReadonlySet<string>
}

/** Counts the work and stores intermediate results. */
export interface Work {
  readonly document: SchemaDocument
  /** Stores an outcome. */
  remember(schema: unknown, value: unknown, outcome: Outcome): void
  /** Throws if the work exceeds the limit. */
  spend(steps: number): void
  /** The canonical text of a value. Equal for equal values. */
  textOf(value: unknown): string
  /** True if a string matches a regular expression. */
  matches(pattern: string, text: string): boolean
}

type Node = Readonly<Record<string, unknown>>
/** An application in progress: yields further applications and resumes with their outcomes. */
export type Step = Generator<Application, Outcome, Outcome>
/** Applies some of the keywords of a schema. */
type Part = Generator<Application, void, Outcome>

/**
 * The outcome of a schema that does not apply other schemas to the value. Undefined if it might.
 */
export function applyAlone(schema: Node, value: unknown, work: Work): Outcome | undefined {
  if ((typeof value === 'object' && value !== null) || hasBranches(schema)) return undefined
  const attempt = new Attempt(schema, value, work)
  checkPlain(attempt)
  return attempt
}

/** Applies a schema to a value. Yields the schemas that it applies to the value and its parts. */
export function* applySchema(schema: Node, value: unknown, work: Work): Step {
  const attempt = new Attempt(schema, value, work)
  checkPlain(attempt)
  if (hasBranches(schema)) yield* checkBranches(attempt)
  if (Array.isArray(value)) yield* checkItems(attempt, value)
  else if (isObject(value)) yield* checkMembers(attempt, value)
  work.remember(schema, value, attempt)
  return attempt
}

class Attempt implements Outcome {
  readonly failures: Failure[] = []
  evaluated: ReadonlySet<string> = NOTHING
  readonly schema: Node
  readonly value: unknown
  readonly work: Work

  constructor(schema: Node, value: unknown, work: Work) {
    this.schema = schema
    this.value = value
    this.work = work
  }

  /** The list in a keyword, or an empty list. */
  list(keyword: string): readonly unknown[] {
    const value = this.schema[keyword]
    if (!Array.isArray(value)) return []
    this.work.spend(value.length)
    return value
  }

  /** The schemas or values by name in a keyword. */
  named(keyword: string): Node {
    const value = this.schema[keyword]
    return isObject(value) ? value : {}
  }

  /** Fails if a limit of the schema is violated. */
  limit(keyword: string, isKept: (limit: number) => boolean, message: string): void {
    const limit = this.schema[keyword]
    if (typeof limit === 'number' && !isKept(limit)) this.failures.push(`${message} ${limit}`)
  }

  /**
   * Fails if another outcome is a failure. With a key, the failure refers to that part of the
   * value.
   */
  require(outcome: Outcome, key?: string): void {
    if (outcome.failures.length > 0) this.failures.push([outcome, key])
    else if (key === undefined) this.adopt(outcome)
    else this.evaluate(key)
  }

  /** Adds the keys evaluated by another schema for the same value. */
  adopt({ evaluated }: Outcome): void {
    this.work.spend(evaluated.size)
    for (const key of evaluated) this.evaluate(key)
  }

  evaluate(key: string): void {
    if (!this.work.document.hasUnevaluated) return
    if (this.evaluated === NOTHING) this.evaluated = new Set()
    ;(this.evaluated as Set<string>).add(key)
  }
}

const NOTHING: ReadonlySet<string> = new Set()
const BRANCHES = [
  ...['$ref', '$dynamicRef', '$recursiveRef', 'allOf', 'anyOf', 'oneOf', 'not', 'if'],
] as const

function hasBranches(schema: Node): boolean {
  return BRANCHES.some((keyword) => keyword in schema)
}

function checkPlain(attempt: Attempt): void {
  const { value } = attempt
  checkValue(attempt)
  if (typeof value === 'number') checkNumber(attempt, value)
  if (typeof value === 'string') checkText(attempt, value)
}

function checkValue(attempt: Attempt): void {
  const { schema, value, failures, work } = attempt
  const types = [schema['type']].flat().filter((type) => typeof type === 'string')
  if (types.length > 0 && !types.some((type) => hasType(value, type.toLowerCase())))
    failures.push(`must be ${types.join(' or ')}`)
  if ('const' in schema && work.textOf(schema['const']) !== work.textOf(value))
    failures.push('must be the only allowed value')
  if (!Array.isArray(schema['enum'])) return
  const text = work.textOf(value)
  if (!attempt.list('enum').some((choice) => work.textOf(choice) === text))
    failures.push('must be one of the allowed values')
}

/** True if a value has a type. Also true for types that JSON Schema does not define. */
function hasType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value)
  if (type === 'null') return value === null
  return !['string', 'number', 'boolean'].includes(type) || typeof value === type
}

function checkNumber(attempt: Attempt, value: number): void {
  const { schema, failures } = attempt
  // In draft 4 and thus OpenAPI 3.0, these are booleans.
  const isAbove = schema['exclusiveMinimum'] === true
  const isBelow = schema['exclusiveMaximum'] === true
  attempt.limit('minimum', (limit) => value > limit || (value === limit && !isAbove), 'must be >=')
  attempt.limit('maximum', (limit) => value < limit || (value === limit && !isBelow), 'must be <=')
  attempt.limit('exclusiveMinimum', (limit) => value > limit, 'must be >')
  attempt.limit('exclusiveMaximum', (limit) => value < limit, 'must be <')
  const { multipleOf: step } = schema
  if (typeof step === 'number' && step > 0 && !isMultiple(value, step))
    failures.push(`must be a multiple of ${step}`)
}

/** Allows for rounding errors: fractions such as 0.1 are inexact. */
function isMultiple(value: number, step: number): boolean {
  const rest = Math.abs(value % step)
  return rest === 0 || (!Number.isInteger(step) && Math.min(rest, step - rest) < step * 1e-9)
}

function checkText(attempt: Attempt, text: string): void {
  const { schema, failures, work } = attempt
  if ('minLength' in schema || 'maxLength' in schema) {
    work.spend(text.length >> 6)
    let length = 0
    for (const _ of text) length++
    attempt.limit('minLength', (limit) => length >= limit, 'must have a length >=')
    attempt.limit('maxLength', (limit) => length <= limit, 'must have a length <=')
  }
  const { pattern } = schema
  if (typeof pattern === 'string' && !work.matches(pattern, text))
    failures.push(`must match the pattern ${pattern}`)
}

/** Applies the keywords that apply schemas to the value itself. */
function* checkBranches(attempt: Attempt): Part {
  const { schema, value, failures, work } = attempt
  for (const target of work.document.targetsOf(schema)) attempt.require(yield [target, value])
  for (const part of attempt.list('allOf')) attempt.require(yield [part, value])
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    if (!Array.isArray(schema[keyword])) continue
    const outcomes: Outcome[] = []
    for (const branch of attempt.list(keyword)) {
      outcomes.push(yield [branch, value])
      const isEnough = keyword === 'anyOf' && isValid(outcomes.at(-1)!)
      if (isEnough && !work.document.hasUnevaluated) break
    }
    const valid = outcomes.filter(isValid)
    if (valid.length === 0)
      failures.push(
        ...outcomes.slice(0, MAX_SHOWN).map((each) => [each, undefined] as const),
        `must match a schema in ${keyword}`,
      )
    else if (keyword === 'oneOf' && valid.length > 1)
      failures.push(`must match only one schema in oneOf, but matches ${valid.length}`)
    else for (const each of valid) attempt.adopt(each)
  }
  if ('not' in schema && isValid(yield [schema['not'], value]))
    failures.push('must not match the schema in not')
  if (!('if' in schema)) return
  const condition = yield [schema['if'], value]
  if (isValid(condition)) attempt.adopt(condition)
  attempt.require(yield [schema[isValid(condition) ? 'then' : 'else'], value])
}

const MAX_SHOWN = 10

function isValid({ failures }: Outcome): boolean {
  return failures.length === 0
}

function* checkItems(attempt: Attempt, value: readonly unknown[]): Part {
  const { schema, failures, work } = attempt
  const { length } = value
  attempt.limit('minItems', (limit) => length >= limit, 'must have a number of items >=')
  attempt.limit('maxItems', (limit) => length <= limit, 'must have a number of items <=')
  if (
    schema['uniqueItems'] === true &&
    new Set(value.map((item) => work.textOf(item))).size < length
  )
    failures.push('must not have equal items')
  const isOld = Array.isArray(schema['items'])
  const first = attempt.list(isOld ? 'items' : 'prefixItems')
  const others = isOld ? 'additionalItems' : 'items'
  for (const [at, item] of value.entries()) {
    const inner = at < first.length ? first[at] : schema[others]
    if (inner !== undefined) attempt.require(yield [inner, item], String(at))
  }
  if ('contains' in schema) yield* checkContains(attempt, value)
  if (!('unevaluatedItems' in schema)) return
  for (const [at, item] of value.entries())
    if (!attempt.evaluated.has(String(at)))
      attempt.require(yield [schema['unevaluatedItems'], item], String(at))
}

function* checkContains(attempt: Attempt, value: readonly unknown[]): Part {
  const { schema } = attempt
  let count = 0
  for (const [at, item] of value.entries()) {
    if (!isValid(yield [schema['contains'], item])) continue
    attempt.evaluate(String(at))
    count++
  }
  if (!('minContains' in schema) && count === 0)
    attempt.failures.push('must contain a matching item')
  attempt.limit('minContains', (limit) => count >= limit, 'must have a number of matching items >=')
  attempt.limit('maxContains', (limit) => count <= limit, 'must have a number of matching items <=')
}

function* checkMembers(attempt: Attempt, value: Node): Part {
  const { schema, failures, work } = attempt
  // As in JSON, an undefined member counts as missing.
  const keys = Object.keys(value).filter((key) => value[key] !== undefined)
  work.spend(keys.length)
  const has = (key: unknown): boolean =>
    typeof key !== 'string' || (Object.hasOwn(value, key) && value[key] !== undefined)
  const requireKeys = (names: readonly unknown[]): void => {
    const missing = names.filter((name) => !has(name))
    if (missing.length > 0)
      failures.push(`must have the required properties: ${missing.slice(0, MAX_SHOWN).join(', ')}`)
  }
  const { length } = keys
  attempt.limit('minProperties', (limit) => length >= limit, 'must have a number of properties >=')
  attempt.limit('maxProperties', (limit) => length <= limit, 'must have a number of properties <=')
  requireKeys(attempt.list('required'))
  for (const keyword of ['dependentRequired', 'dependentSchemas', 'dependencies']) {
    const dependents = attempt.named(keyword)
    for (const key of keys) {
      if (!Object.hasOwn(dependents, key)) continue
      const dependent = dependents[key]
      if (!Array.isArray(dependent)) attempt.require(yield [dependent, value])
      else {
        work.spend(dependent.length)
        requireKeys(dependent)
      }
    }
  }
  const properties = attempt.named('properties')
  const patterns = Object.entries(attempt.named('patternProperties'))
  for (const key of keys) {
    let isKnown = Object.hasOwn(properties, key)
    if (isKnown) attempt.require(yield [properties[key], value[key]], key)
    for (const [pattern, inner] of patterns) {
      work.spend(1)
      if (!work.matches(pattern, key)) continue
      isKnown = true
      attempt.require(yield [inner, value[key]], key)
    }
    const { additionalProperties: others } = schema
    if (!isKnown && others === false) failures.push(`must not have the property ${key}`)
    else if (!isKnown && others !== undefined) attempt.require(yield [others, value[key]], key)
    if ('propertyNames' in schema) {
      const outcome = yield [schema['propertyNames'], key]
      if (!isValid(outcome)) attempt.require(outcome, key)
    }
  }
  if (!('unevaluatedProperties' in schema)) return
  for (const key of keys)
    if (!attempt.evaluated.has(key))
      attempt.require(yield [schema['unevaluatedProperties'], value[key]], key)
}
