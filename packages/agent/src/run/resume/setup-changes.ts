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
    ...(shapeOf(before) === shapeOf(now) ? [] : ['the tools have changed']),
  ]
}

/** The tools without their descriptions: rewording prose is not a change of a tool. */
function shapeOf({ tools }: RunSetup): string {
  return JSON.stringify(
    tools.map((tool) => {
      if (!isObject(tool)) return tool
      const { description: _, parameters, ...rest } = tool
      return { ...rest, parameters: withoutDescriptions(parameters) }
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
