import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import type { Schema } from '@toolglot/core'
import type { AnyTool } from './any-tool.ts'

type Parameters = AnyTool['parameters']

const written = new WeakMap<StandardSchemaV1, Schema>()

/** What a tool's arguments must be, as JSON Schema: what the model is shown. */
export function jsonSchemaOf(parameters: Parameters): Schema {
  if (!isStandardSchema(parameters)) return parameters
  const before = written.get(parameters)
  if (before) return before
  const { jsonSchema } = parameters['~standard'] as Partial<StandardJSONSchemaV1.Props>
  if (!jsonSchema)
    throw new TypeError(
      'Expected a schema that can be written as JSON Schema, such as one of zod 4.',
    )
  const { $schema: _, ...schema } = jsonSchema.input({ target: 'draft-2020-12' })
  written.set(parameters, schema)
  return schema
}

/** The same; undefined where it cannot be written. */
export function tryJsonSchemaOf(parameters: Parameters): Schema | undefined {
  try {
    return jsonSchemaOf(parameters)
  } catch {
    return undefined
  }
}

export function isStandardSchema(parameters: Parameters): parameters is StandardSchemaV1 {
  return '~standard' in parameters
}

/** The arguments that a schema names, and the schema of each. */
export function propertiesOf(schema: Schema | undefined): Readonly<Record<string, unknown>> {
  const properties = schema?.['properties']
  return isObject(properties) ? properties : {}
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
