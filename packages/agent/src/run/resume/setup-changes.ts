import { isObject } from '../../tool/json-schema.ts'
import type { RunSetup } from './history.ts'

/** Describes how the setup of a run differs from the one it was recorded with. */
export function describeChanges(before: RunSetup, now: RunSetup): string[] {
  return [
    ...(before.model === now.model ? [] : [`the model was ${before.model} and is ${now.model}`]),
    ...(before.protocol === now.protocol
      ? []
      : [`the protocol was ${before.protocol} and is ${now.protocol}`]),
    ...(before.cwd === undefined || before.cwd === now.cwd
      ? []
      : [`the working directory was ${before.cwd} and is ${now.cwd}`]),
    ...(before.host === undefined || before.host === now.host
      ? []
      : [`the machine was ${before.host} and is ${now.host ?? 'none'}`]),
    ...(before.version === undefined || before.version === now.version
      ? []
      : [`the version was ${before.version} and is ${now.version ?? 'not known'}`]),
    ...toolChanges(shapesOf(before), shapesOf(now)),
  ]
}

/** Which tools are new, gone or others, by name. */
function toolChanges(
  before: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): string[] {
  const names = [...new Set([...before.keys(), ...now.keys()])].sort()
  const changes = names.flatMap((name) => {
    if (before.get(name) === now.get(name)) return []
    if (!before.has(name)) return [`${name} is new`]
    return [now.has(name) ? `${name} takes other arguments` : `${name} is gone`]
  })
  const more = changes.length - MAX_NAMED
  const named = changes.slice(0, MAX_NAMED).join(', ')
  if (changes.length === 0) return []
  return [`the tools have changed: ${named}${more > 0 ? `, and ${more} more` : ''}`]
}

const MAX_NAMED = 5

/** The tools by name, without their descriptions: rewording prose is not a change of a tool. */
function shapesOf({ tools }: RunSetup): ReadonlyMap<string, string> {
  return new Map(
    tools.map((tool) => {
      // Records may contain anything.
      if (!isObject(tool)) return [JSON.stringify(tool), '']
      const { name, description: _, parameters, ...rest } = tool
      const shape = { ...rest, parameters: withoutDescriptions(parameters) }
      return [typeof name === 'string' ? name : JSON.stringify(name), JSON.stringify(shape)]
    }),
  )
}

/** A JSON Schema without its `description` keywords. A property of that name stays, and so does data such as a default. */
function withoutDescriptions(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutDescriptions)
  if (!isObject(schema)) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => keyword !== 'description')
      .map(([keyword, value]) => {
        if (SCHEMAS.has(keyword)) return [keyword, withoutDescriptions(value)]
        if (!NAMED_SCHEMAS.has(keyword) || !isObject(value)) return [keyword, value]
        const named = Object.entries(value).map(([name, each]) => [name, withoutDescriptions(each)])
        return [keyword, Object.fromEntries(named)]
      }),
  )
}

/** Keywords whose value is a schema or a list of schemas. */
const SCHEMAS: ReadonlySet<string> = new Set([
  'additionalItems',
  'additionalProperties',
  'allOf',
  'anyOf',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'oneOf',
  'prefixItems',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
])

/** Keywords whose value has schemas by name. */
const NAMED_SCHEMAS: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
])
