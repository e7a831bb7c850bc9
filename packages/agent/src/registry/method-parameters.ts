import type { Schema } from '@toolglot/core'

/** A parameter of a method, in a list of parameters. */
export interface MethodParameter {
  readonly name: string
  /** A type of JSON Schema, `int`, `float`, `bool`, `any` or `T[]`. Any other text goes into the description. */
  readonly type?: string
  readonly description?: string
  readonly required?: boolean
  readonly default?: unknown
  readonly enum?: readonly unknown[]
}

/** Converts a list of parameters to JSON Schema. */
export function schemaOfParameters(parameters: readonly MethodParameter[]): Schema {
  const properties = Object.fromEntries(
    parameters.map((parameter) => [parameter.name, schemaOfParameter(parameter)]),
  )
  if (Object.keys(properties).length < parameters.length)
    throw new TypeError('Expected the parameters to have different names.')
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
  const text = [description, known ? undefined : `Type: ${type}`].filter(Boolean).join(' ')
  return {
    ...known,
    ...(text !== '' && { description: text }),
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
