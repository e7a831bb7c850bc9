import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Schema } from '@toolglot/core'
import type { ToolAccess } from '@toolglot/permissions'
import { canonicalJson } from '@toolglot/permissions/internal'
import { describeProblems } from './describe-problems.ts'
import { freezeAll, frozenCopy } from './data-copy.ts'
import { isStandardSchema, propertiesOf, tryJsonSchemaOf, isObject } from './json-schema.ts'
import { UnusableSchema } from './schema-document.ts'
import type { Tool } from './tool.ts'
import { validate } from './validate.ts'
import { ToolError } from './tool-error.ts'

type Parameters = Tool['parameters']

/** Returns the frozen output of the schema for the arguments, or their problems, one per line. */
export async function checkArguments(
  parameters: Parameters,
  args: unknown,
): Promise<{ args: Record<string, unknown> } | { problems: readonly string[] }> {
  const given = copyOf(args)
  if (given instanceof RangeError) return { problems: [given.message] }
  const unsafe = unsafeKeyIn(given, () => Object.keys(propertiesOf(tryJsonSchemaOf(parameters))))
  if (unsafe !== undefined) return { problems: [`${unsafe}: an argument must not have this name`] }
  const found = isStandardSchema(parameters)
    ? await parameters['~standard'].validate(given)
    : checkBySchema(parameters, given)
  if (typeof found === 'string') return { problems: [found] }
  if (!found.issues) return { args: freezeAll(found.value as Record<string, unknown>) }
  const issues = found.issues.map(({ path, message }) => ({ path: pathOf(path), message }))
  return { problems: describeProblems(tryJsonSchemaOf(parameters), given, issues) }
}

function copyOf(args: unknown): unknown {
  try {
    return frozenCopy(args)
  } catch (error) {
    if (error instanceof RangeError) return error
    throw error
  }
}

/** Returns a reason instead if the schema is unusable. */
function checkBySchema(schema: Schema, args: unknown): StandardSchemaV1.Result<unknown> | string {
  try {
    const { issues } = validate(schema, args)
    return issues.length > 0 ? { issues } : { value: args }
  } catch (error) {
    if (error instanceof UnusableSchema) return `the schema of this tool ${error.message}`
    throw error
  }
}

function pathOf(path: StandardSchemaV1.Issue['path'] = []): readonly string[] {
  return path.map((part) => String(typeof part === 'object' ? part.key : part))
}

/**
 * The path of a key that could access an object's prototype, or undefined if the arguments contain
 * none. `names` are the tool's arguments, one of which may be named `constructor`.
 */
function unsafeKeyIn(value: unknown, names: () => readonly string[]): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, member] of Object.entries(value)) {
    if (UNSAFE_KEYS.has(key) && (key === '__proto__' || !names().includes(key))) return key
    const nested = unsafeKeyIn(member, () => [])
    if (nested !== undefined) return `${key}/${nested}`
  }
  return undefined
}

const UNSAFE_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

type Arguments = Readonly<Record<string, unknown>>

/**
 * Merges the arguments of a call, the preset arguments, and the schema's defaults, in this order of
 * precedence.
 */
export function applyDefaults(
  parameters: Tool['parameters'],
  preset: Arguments | undefined,
  given: Arguments,
): Record<string, unknown> {
  const args = Object.create(null) as Record<string, unknown>
  for (const each of [defaultsOf(parameters), preset ?? {}, given]) {
    for (const [key, value] of Object.entries(each)) if (value !== undefined) args[key] = value
  }
  return args
}

const known = new WeakMap<object, Arguments>()

function defaultsOf(parameters: Tool['parameters']): Arguments {
  let defaults = known.get(parameters)
  if (!defaults) {
    const entries = Object.entries(propertiesOf(tryJsonSchemaOf(parameters))).flatMap(
      ([key, schema]) =>
        isObject(schema) && schema['default'] !== undefined ? [[key, schema['default']]] : [],
    )
    known.set(parameters, (defaults = Object.fromEntries(entries) as Arguments))
  }
  return defaults
}

/**
 * Throws if a schema changes an argument that permissions depend on, because the tool would receive
 * a different value than the one decided on.
 */
export function checkUnchanged(
  { name, access }: Tool,
  given: Readonly<Record<string, unknown>>,
  checked: Readonly<Record<string, unknown>>,
): void {
  for (const role of ROLES) {
    const key = access[role]
    if (key === undefined || given[key] === checked[key]) continue
    if (canonicalJson(given[key]) === canonicalJson(checked[key])) continue
    throw new ToolError(
      'execution_failed',
      `The schema of ${name} changes ${key}, which permissions depend on. It may only validate it.`,
      { code: 'schema_changes_reach' },
    )
  }
}

const ROLES = [
  'reads',
  'writes',
  'lists',
  'names',
  'runs',
  'runsIn',
  'fetches',
  'hosts',
] as const satisfies readonly (keyof ToolAccess)[]
