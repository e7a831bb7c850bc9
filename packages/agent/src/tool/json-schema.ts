import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import type { Schema } from '@toolglot/core'
import type { AnyTool } from './any-tool.ts'

type Parameters = AnyTool['parameters']

const converted = new WeakMap<StandardSchemaV1, Schema>()

/** The parameters of a tool as the JSON Schema shown to the model. */
export function jsonSchemaOf(parameters: Parameters): Schema {
  if (!isStandardSchema(parameters)) return parameters
  const known = converted.get(parameters)
  if (known) return known
  const { jsonSchema } = parameters['~standard'] as Partial<StandardJSONSchemaV1.Props>
  if (!jsonSchema)
    throw new TypeError(
      'The schema cannot be converted to JSON Schema. Use one that can, such as a zod 4 schema.',
    )
  const { $schema: _, ...schema } = jsonSchema.input({ target: 'draft-2020-12' })
  converted.set(parameters, schema)
  return schema
}

/** The parameters of a tool as JSON Schema, or undefined if they cannot be converted. */
export function tryJsonSchemaOf(parameters: Parameters): Schema | undefined {
  try {
    return jsonSchemaOf(parameters)
  } catch {
    return undefined
  }
}

/** True if the parameters are a Standard Schema rather than JSON Schema. */
export function isStandardSchema(parameters: Parameters): parameters is StandardSchemaV1 {
  return '~standard' in parameters
}

/** The properties of a schema, by name. */
export function propertiesOf(schema: Schema | undefined): Readonly<Record<string, unknown>> {
  const properties = schema?.['properties']
  return isObject(properties) ? properties : {}
}

/** True if a value is an object other than an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
