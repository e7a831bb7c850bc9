import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Schema } from '@toolglot/core'
import type { ToolAccess } from '@toolglot/permissions'
import { type Tool, tool, type ToolContext } from './tool.ts'
import { checkFields } from '../options/check-fields.ts'
import {
  type FieldRules,
  flag,
  functionRule,
  listOf,
  milliseconds,
  objectOf,
  objectRule,
  oneOf,
  orInfinity,
  required,
  type Rule,
  text,
} from '../options/rule.ts'
import { brokenRule, describeValue, mustBe } from '@toolglot/permissions/errors/internal'
import { isObject } from './json-schema.ts'

/**
 * A tool with any types of arguments and result, created by `tool` or written as an object. Every
 * `Tool<…>` is assignable to it.
 */
export interface AnyTool extends Omit<
  Tool,
  'parameters' | 'execute' | 'verify' | 'show' | 'access'
> {
  readonly parameters: Schema | StandardSchemaV1
  /**
   * The access of a call, derived from its arguments, for permissions. Default: unknown, so
   * permissions depend only on the tool's name.
   */
  readonly access?: ToolAccess
  /** The tool changes nothing and needs no permission to read. */
  readonly readOnly?: boolean
  execute(args: never, context: ToolContext): unknown
  verify?(args: never, context: never): unknown
  show?(result: never, args: never): string
}

/**
 * Throws a TypeError if the value is not a tool. The types are safe because a tool receives only
 * arguments checked by its own schema, and formats only its own results.
 */
export function asTool(given: AnyTool): Tool {
  checkTool(given)
  return given.access && given.readOnly === undefined ? (given as Tool) : completed(given)
}

/** Like `tool`, but also for objects with inherited members. */
function completed(given: AnyTool): Tool {
  const members = TOOL_KEYS.flatMap((key) => {
    const value: unknown = given[key]
    if (value === undefined) return []
    // The schemas of some libraries are functions.
    const isMethod = typeof value === 'function' && key !== 'parameters'
    return [[key, isMethod ? (value.bind(given) as unknown) : value]]
  })
  return tool(Object.fromEntries(members) as Parameters<typeof tool>[0])
}

/** A map of tools by name, for `execute`. */
export function toolsByName(tools: readonly AnyTool[]): ReadonlyMap<string, Tool> {
  return new Map(tools.map(asTool).map((each) => [each.name, each]))
}

/**
 * Throws a TypeError unless the value is a tool. The message suggests which key to rename. Unknown
 * keys are allowed unless they look like a misspelled key of a tool.
 */
export function checkTool(given: unknown): asserts given is AnyTool {
  if (!isObject(given))
    throw new TypeError(
      mustBe('a tool', 'an object with name, description, parameters and execute()', given),
    )
  const what = describeTool(given)
  const shape = SHAPES.find(([isIt]) => isIt(given))
  if (shape) throw new TypeError(brokenRule(what, 'a tool', shape[1]))
  for (const key of NEEDED) {
    if (given[key] !== undefined) continue
    const { expected, test } = RULES[key]
    const other = OTHER_NAMES[key].find((name) => test(given[name]))
    if (other !== undefined)
      throw new TypeError(
        `${mustBe(`${key} of ${what}`, expected, undefined)} Rename ${other} to ${key}.`,
      )
  }
  checkToolName(given['name'])
  checkFields(what, given, RULES, { open: true, advice: ADVICE })
  const { readOnly, access } = given
  if (readOnly !== undefined && isObject(access) && readOnly !== (access['readOnly'] ?? false))
    throw new TypeError(
      `readOnly of ${what} contradicts its access. Leave out readOnly, and write it in access.`,
    )
}

function describeTool({ name, function: wrapped }: Readonly<Record<string, unknown>>): string {
  const known = name ?? (isObject(wrapped) ? wrapped['name'] : undefined)
  return typeof known === 'string' ? `the tool ${describeValue(known)}` : 'a tool'
}

const SHAPES: readonly [(given: Readonly<Record<string, unknown>>) => boolean, string][] = [
  [
    (given) => isObject(given['function']),
    'a definition for a chat API. Pass the contents of its function, together with execute()',
  ],
  [
    (given) => Array.isArray(given['methods']) || typeof given['getMetadata'] === 'function',
    'a toolkit. Add it with addToolkit() of a registry',
  ],
]

/** The names used by other libraries. */
const OTHER_NAMES = {
  name: words('id toolName tool_name title'),
  description: words('desc summary instructions doc'),
  parameters: words(
    'inputSchema input_schema schema argsSchema args_schema args params arguments input jsonSchema',
  ),
  execute: words('handler run func function fn call _call invoke callback exec action handle'),
} satisfies Partial<Record<keyof AnyTool, readonly string[]>>

function words(line: string): readonly string[] {
  return line.split(' ')
}

const NEEDED = ['name', 'execute', 'parameters', 'description'] as const

/** Keys of other libraries that have no effect in Toolglot. */
const ADVICE: Readonly<Record<string, string>> = {
  ...adviceFor(['timeoutMs', 'timeout_ms', 'timeoutSeconds'], 'timeout, in milliseconds'),
  ...adviceFor(['isReadOnly', 'readOnlyHint'], 'readOnly'),
  ...adviceFor(['isIdempotent', 'idempotentHint'], 'idempotent'),
  ...adviceFor(
    ['isDangerous', 'needsApproval', 'requiresApproval', 'requireConfirmation'],
    'dangerous: true if every call needs approval',
  ),
}

function adviceFor(keys: readonly string[], instead: string): Record<string, string> {
  return Object.fromEntries(keys.map((key) => [key, `Write ${instead}.`]))
}

const parametersRule: Rule = {
  expected:
    'a JSON Schema, or a schema of zod, valibot, arktype or another Standard Schema library',
  // The schemas of some libraries are functions. An object that contains schemas is not a schema.
  test: (value) =>
    isStandard(value) ||
    (isObject(value) && !Object.values(value).some((each) => isStandard(each))),
}

function isStandard(value: unknown): boolean {
  return (
    ((typeof value === 'object' && value) || typeof value === 'function') && '~standard' in value
  )
}

const ACCESS: FieldRules<ToolAccess> = {
  arguments: objectOf(oneOf('text', 'count', 'flag', 'list', 'any'), 'types by argument'),
  otherNames: objectOf(text, 'names by other name'),
  required: listOf(text, 'names of arguments'),
  reads: text,
  writes: text,
  lists: text,
  names: text,
  runs: text,
  runsIn: text,
  fetches: text,
  hosts: text,
  readOnly: flag,
  harmless: flag,
  alias: objectRule(),
}

const RULES: FieldRules<AnyTool> = {
  name: required(text),
  description: required(text),
  parameters: required(parametersRule),
  execute: required(functionRule),
  access: objectRule(ACCESS),
  readOnly: flag,
  aliasOf: objectRule(),
  server: text,
  host: text,
  toolkit: text,
  level: { expected: '1, 2 or 3', test: (value) => [1, 2, 3].includes(value as number) },
  idempotent: flag,
  repeatable: flag,
  dangerous: flag,
  doubt: functionRule,
  timeout: orInfinity(milliseconds),
  waits: flag,
  verify: functionRule,
  preview: functionRule,
  network: functionRule,
  show: functionRule,
  resume: functionRule,
}

/** The keys of a tool, in any order. */
const TOOL_KEYS = Object.keys(RULES) as (keyof AnyTool)[]

/** Throws if a name is not valid for a tool. */
export function checkToolName(name: unknown, what = 'the name of a tool'): asserts name is string {
  if (typeof name !== 'string' || !isName(name))
    throw new TypeError(
      mustBe(
        what,
        `1 to ${MAX_NAME} letters, digits, _ - . : or /, starting with a letter, a digit or _`,
        name,
      ),
    )
}

const MAX_NAME = 128

function isName(name: string): boolean {
  return (
    name.length <= MAX_NAME &&
    name.normalize('NFC') === name &&
    /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.:/-]*$/u.test(name)
  )
}
