import type { Schema } from '@toolglot/core'
import { describeValue } from '@toolglot/permissions/errors/internal'
import { nearest } from '@toolglot/permissions/internal'
import { isObject, propertiesOf } from './json-schema.ts'
import { follow } from './schema-document.ts'
import type { ValidationIssue } from './validate.ts'

/**
 * Describes each problem with arguments in one line, with the argument, the expected and actual
 * values, and a probable correction. Uses our own message if the schema explains the problem, and
 * the validator's message otherwise.
 */
export function describeProblems(
  schema: Schema | undefined,
  args: unknown,
  issues: readonly ValidationIssue[],
): readonly string[] {
  const found: readonly SchemaProblem[] = schema ? findSchemaProblems(schema, args) : []
  const covered = new Set(found.flatMap(({ covers }) => covers))
  const others = issues
    .filter(({ path }) => !covered.has(path.join('/')))
    .map(({ path, message }) => ({ path, text: `${message}${received(args, path)}` }))
  const problems = new Set([...found, ...others].map(({ path, text }) => problemLine(path, text)))
  const shown = [...problems].slice(0, MAX_SHOWN)
  const more = problems.size - shown.length
  return more > 0 ? [...shown, `and ${more} more`] : shown
}

const MAX_SHOWN = 10

function received(args: unknown, path: readonly string[]): string {
  if (path.length === 0) return ''
  let value = args
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key))
      return ' (it is missing)'
    value = (value as Record<string, unknown>)[key]
  }
  return `, got ${describeValue(value)}`
}

function problemLine(path: readonly string[], text: string): string {
  const where = path.map((key) => key.slice(0, 80)).join('/')
  return where === '' ? text : `${where}: ${text}`
}

/** A problem explained by a JSON Schema. */
interface SchemaProblem {
  readonly path: readonly string[]
  readonly text: string
  /** The paths, such as `a/b`, whose validation errors this problem replaces. */
  readonly covers: readonly string[]
}

/**
 * Finds problems explained by simple keywords of a JSON Schema: names, types and choices. Only
 * describes problems and does not validate: it finds nothing if the result depends on branches or
 * patterns.
 */
function findSchemaProblems(root: Schema, value: unknown): readonly SchemaProblem[] {
  const found: SchemaProblem[] = []
  let left = MAX_STEPS
  inspect(root, value, [])
  return found

  function add(path: readonly string[], text: string, ...also: readonly string[][]): void {
    found.push({ path, text, covers: [path, ...also].map((each) => each.join('/')) })
  }

  function inspect(given: unknown, at: unknown, path: readonly string[]): void {
    const schema = resolveRef(root, given)
    if (!schema || path.length > MAX_DEPTH || (at === null && schema['nullable'] === true)) return
    left -= 1 + sizeOf(schema['enum']) + sizeOf(schema['properties']) + sizeOf(schema['required'])
    if (left < 0 || found.length >= MAX_PROBLEMS) return
    const wrong = wrongChoice(schema, at) ?? wrongType(schema, at)
    if (wrong !== undefined) return add(path, wrong)
    const { items } = schema
    if (Array.isArray(at) && isObject(items))
      at.forEach((item, index) => inspect(items, item, [...path, String(index)]))
    if (isObject(at)) inspectMembers(schema, at, path)
  }

  function inspectMembers(
    schema: Schema,
    at: Record<string, unknown>,
    path: readonly string[],
  ): void {
    const properties = propertiesOf(schema)
    const names = Object.keys(properties)
    const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
    for (const key of required) {
      if (typeof key !== 'string' || at[key] !== undefined) continue
      if (found.length >= MAX_PROBLEMS) return
      const type = typeOf(resolveRef(root, properties[key]))
      add([...path, key], `missing${type === undefined ? '' : `; must be ${type}`}`, [...path])
    }
    for (const [key, member] of Object.entries(at)) {
      if (found.length >= MAX_PROBLEMS) return
      if (Object.hasOwn(properties, key)) {
        if (member !== undefined) inspect(properties[key], member, [...path, key])
      } else if (schema['additionalProperties'] === false && !schema['patternProperties']) {
        add(path, unknownName(key, names), [...path, key])
      }
    }
  }
}

const MAX_DEPTH = 16
const MAX_PROBLEMS = 50
/**
 * The maximum number of schemas, names and choices to examine. A large value is described only in
 * part.
 */
const MAX_STEPS = 200_000

function sizeOf(value: unknown): number {
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0
}

function unknownName(key: string, names: readonly string[]): string {
  const [close] = nearest(key, names)
  const advice =
    close !== undefined
      ? `Did you mean ${JSON.stringify(close)}?`
      : names.length === 0
        ? 'The tool has no arguments.'
        : `The arguments are ${names.slice(0, MAX_PROBLEMS).join(', ')}.`
  return `unknown argument ${describeValue(key)}. ${advice}`
}

function wrongChoice(schema: Schema, value: unknown): string | undefined {
  const choices = choicesOf(schema)
  if (!choices || choices.includes(value)) return undefined
  const texts = choices.filter((choice) => typeof choice === 'string')
  const [close] = typeof value === 'string' ? nearest(value, texts) : []
  const advice = close === undefined ? '' : `. Did you mean ${JSON.stringify(close)}?`
  return `must be ${oneOf(choices)}, not ${describeValue(value)}${advice}`
}

function choicesOf(schema: Schema): readonly unknown[] | undefined {
  const choices: unknown = 'const' in schema ? [schema['const']] : schema['enum']
  return Array.isArray(choices) && choices.every((choice) => !(choice instanceof Object))
    ? choices
    : undefined
}

function oneOf(choices: readonly unknown[]): string {
  const shown = choices.slice(0, MAX_PROBLEMS).map((choice) => describeValue(choice))
  return shown.length === 1 ? shown[0]! : `one of ${shown.join(', ')}`
}

function wrongType(schema: Schema, value: unknown): string | undefined {
  const types = typesOf(schema)
  if (types.length === 0 || types.some((type) => TYPES[type]![1](value))) return undefined
  return `must be ${typeOf(schema)}, not ${describeValue(value)}`
}

/** The types allowed by a schema. Empty if any of them is unknown. */
function typesOf(schema: Schema): readonly string[] {
  const types = [schema['type']].flat().map((type) => String(type).toLowerCase())
  if (!types.every((type) => Object.hasOwn(TYPES, type))) return []
  return schema['nullable'] === true ? [...types, 'null'] : types
}

function typeOf(schema: Schema | undefined): string | undefined {
  if (!schema) return undefined
  const choices = choicesOf(schema)
  if (choices) return oneOf(choices)
  const types = typesOf(schema).map((type) => TYPES[type]![0])
  return types.length === 0 ? undefined : types.join(' or ')
}

const TYPES: Readonly<Record<string, readonly [string, (value: unknown) => boolean]>> = {
  string: ['a string', (value) => typeof value === 'string'],
  number: ['a number', (value) => typeof value === 'number'],
  integer: ['a whole number', (value) => Number.isInteger(value)],
  boolean: ['true or false', (value) => typeof value === 'boolean'],
  array: ['a list', Array.isArray],
  object: ['an object', isObject],
  null: ['null', (value) => value === null],
}

/** A schema, or the target of its `$ref` in the same document. */
function resolveRef(root: Schema, given: unknown, hops = 0): Schema | undefined {
  if (!isObject(given)) return undefined
  const { $ref: reference } = given
  if (reference === undefined) return given
  if (typeof reference !== 'string' || !reference.startsWith('#/') || hops > MAX_DEPTH)
    return undefined
  return resolveRef(root, follow(root, reference.slice(1)), hops + 1)
}
