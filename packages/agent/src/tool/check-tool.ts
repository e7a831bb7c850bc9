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
import type { ToolAccess } from '@toolglot/permissions'
import type { AnyTool } from './any-tool.ts'
import { describeValue } from './describe-value.ts'
import { isObject } from './json-schema.ts'
import { checkToolName } from './tool-name.ts'

/**
 * Throws a TypeError unless a value is a tool: what was expected, and which key to rename. Other keys may be there, except
 * for those that were probably meant as one of a tool.
 */
export function checkTool(given: unknown): asserts given is AnyTool {
  if (!isObject(given))
    throw new TypeError(
      `Expected a tool: an object with name, description, parameters and execute(), got ${describeValue(given)}.`,
    )
  const what = describeTool(given)
  const shape = SHAPES.find(([isIt]) => isIt(given))
  if (shape) throw new TypeError(`Expected ${what} to be a tool, got ${shape[1]}`)
  for (const key of NEEDED) {
    if (given[key] !== undefined) continue
    const { expected, test } = RULES[key]
    const other = OTHER_NAMES[key].find((name) => test(given[name]))
    if (other !== undefined)
      throw new TypeError(
        `Expected ${key} of ${what} to be ${expected}, got undefined. Rename ${other} to ${key}.`,
      )
  }
  checkToolName(given['name'])
  checkFields(what, given, RULES, { open: true, advice: ADVICE })
  const { readOnly, access } = given
  if (readOnly !== undefined && isObject(access) && readOnly !== (access['readOnly'] ?? false))
    throw new TypeError(
      `Expected readOnly of ${what} to agree with its access. Leave out readOnly, and write it in access.`,
    )
}

function describeTool({ name, function: wrapped }: Readonly<Record<string, unknown>>): string {
  const known = name ?? (isObject(wrapped) ? wrapped['name'] : undefined)
  return typeof known === 'string' ? `the tool ${describeValue(known)}` : 'a tool'
}

const SHAPES: readonly [(given: Readonly<Record<string, unknown>>) => boolean, string][] = [
  [
    (given) => isObject(given['function']),
    'a definition for a chat API. Pass what is in its function, together with execute().',
  ],
  [
    (given) => Array.isArray(given['methods']) || typeof given['getMetadata'] === 'function',
    'a toolkit. Add it with addToolkit() of a registry.',
  ],
]

/** The names that other libraries use. */
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

/** Keys that look as if they had an effect. */
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
  // The schemas of some libraries are functions. An object of schemas is not a schema.
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

/** The keys of a tool, in no order that matters. */
export const TOOL_KEYS = Object.keys(RULES) as (keyof AnyTool)[]
