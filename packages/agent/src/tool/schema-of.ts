import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import type { Schema } from '@toolglot/core'
import type { AnyTool } from './any-tool.ts'

type Parameters = AnyTool['parameters']

/** What a tool's arguments must be, as JSON Schema: what the model is shown. */
export function jsonSchemaOf(parameters: Parameters): Schema {
  if (!isStandard(parameters)) return parameters
  const { jsonSchema } = parameters['~standard'] as Partial<StandardJSONSchemaV1.Props>
  if (!jsonSchema)
    throw new TypeError(
      'Expected a schema that can be written as JSON Schema, such as one of zod 4.',
    )
  const { $schema: _, ...schema } = jsonSchema.input({ target: 'draft-2020-12' })
  return schema
}

export function isStandard(parameters: Parameters): parameters is StandardSchemaV1 {
  return '~standard' in parameters
}

const known = new WeakMap<object, Schema | 'none'>()

/** The JSON Schema of a tool's arguments, written once; undefined where it cannot be written as one. */
export function schemaOf(parameters: Parameters): Schema | undefined {
  let schema = known.get(parameters)
  if (schema === undefined) known.set(parameters, (schema = written(parameters)))
  return schema === 'none' ? undefined : schema
}

function written(parameters: Parameters): Schema | 'none' {
  try {
    return jsonSchemaOf(parameters)
  } catch {
    return 'none'
  }
}

/** The arguments that a schema names, and the schema of each. */
export function propertiesOf(schema: Schema | undefined): Readonly<Record<string, unknown>> {
  const properties = schema?.['properties']
  return isObject(properties) ? properties : {}
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
