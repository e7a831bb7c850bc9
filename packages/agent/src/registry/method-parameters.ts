import type { Schema } from '@toolglot/core'

/** One parameter of a method, where they are written as a list. */
export interface MethodParameter {
  readonly name: string
  /** A type of JSON Schema, `int`, `float`, `bool`, `any` or `T[]`; what else is written is told as it is. */
  readonly type?: string
  readonly description?: string
  readonly required?: boolean
  readonly default?: unknown
  readonly enum?: readonly unknown[]
}

/** A list of parameters as JSON Schema. */
export function schemaOfParameters(parameters: readonly MethodParameter[]): Schema {
  const properties = Object.fromEntries(
    parameters.map((parameter) => [parameter.name, schemaOfParameter(parameter)]),
  )
  if (Object.keys(properties).length < parameters.length)
    throw new TypeError('Expected parameters with different names.')
  return {
    type: 'object',
    properties,
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  }
}

function schemaOfParameter(parameter: MethodParameter): Schema {
  const { type = 'any', description, enum: choices, default: value } = parameter
  const known = schemaOfType(type.trim())
  const said = [description, known ? undefined : `Type: ${type}`].filter(Boolean).join(' ')
  return {
    ...known,
    ...(said !== '' && { description: said }),
    ...(choices && { enum: [...choices] }),
    ...(value !== undefined && { default: value }),
  }
}

function schemaOfType(type: string): Schema | undefined {
  if (type.endsWith('[]')) {
    const items = schemaOfType(type.slice(0, -2))
    return items && { type: 'array', items }
  }
  const name = type.toLowerCase()
  if (name === 'any' || name === 'unknown') return {}
  return Object.hasOwn(TYPES, name) ? { type: TYPES[name] } : undefined
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'string',
  text: 'string',
  number: 'number',
  float: 'number',
  double: 'number',
  integer: 'integer',
  int: 'integer',
  boolean: 'boolean',
  bool: 'boolean',
  array: 'array',
  list: 'array',
  object: 'object',
  dict: 'object',
  null: 'null',
}
