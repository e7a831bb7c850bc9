import { canonicalJson } from '@toolglot/permissions/internal'
import type { Field, ObjectField, Property } from './field.ts'
import { isObject, type LooseSchema, own, resolveSchema } from '../../schema/resolve-schema.ts'

/** The maximum number of fields made from a schema. The rest is edited as JSON. */
export const LIMITS = {
  /** The maximum nesting of objects and lists. */
  depth: 5,
  fields: 250,
  properties: 60,
  choices: 12,
  values: 100,
  valueLength: 200,
  textLength: 2000,
} as const

/** Names that would change an object's prototype. The server also refuses them. */
const UNSAFE = new Set(['__proto__', 'constructor', 'prototype'])

/** The state of reading a schema. */
interface Reading {
  readonly root: unknown
  readonly depth: number
  /** The number of fields that may still be created. */
  readonly left: { count: number }
}

/** The fields of a tool's parameters. */
export function readParameters(schema: unknown): ObjectField {
  const field = readField(schema, { root: schema, depth: 0, left: { count: LIMITS.fields } })
  if (field.kind === 'object') return field
  return { kind: 'object', properties: [], others: { kind: 'any' }, left: 0 }
}

function readField(given: unknown, reading: Reading): Field {
  const { root, depth, left } = reading
  if (left.count-- <= 0) return { kind: 'any' }
  const schema = resolveSchema(given, root)
  if (!schema) return { kind: 'any', ...aboutOf(given) }
  const about = aboutOf(schema)
  const values = Object.hasOwn(schema, 'const') ? [schema['const']] : own(schema, 'enum')
  if (Array.isArray(values)) {
    const isSmall = values.length > 0 && values.length <= LIMITS.values && values.every(isShort)
    return isSmall ? { kind: 'fixed', values, ...about } : { kind: 'any', ...about }
  }
  if (depth > LIMITS.depth) return { kind: 'any', ...about }
  const choices = choicesOf(schema)
  if (choices) return { ...readChoice(choices, reading), ...about }
  return { ...readTyped(schema, reading), ...about }
}

/** The alternatives of a value. */
function choicesOf(schema: LooseSchema): readonly unknown[] | undefined {
  const type = own(schema, 'type')
  if (Array.isArray(type)) {
    return type.map((each) =>
      each === 'null' ? { const: null } : { ...schema, type: each as unknown },
    )
  }
  // If the schema has properties, the alternatives only restrict them further.
  if (Object.hasOwn(schema, 'properties')) return undefined
  const given = own(schema, 'anyOf') ?? own(schema, 'oneOf')
  return Array.isArray(given) && given.length > 0 ? given : undefined
}

function readChoice(choices: readonly unknown[], reading: Reading): Field {
  if (choices.length > LIMITS.choices) return { kind: 'any' }
  const deeper = { ...reading, depth: reading.depth + 1 }
  const fields = choices.map((each) => readField(each, choices.length === 1 ? reading : deeper))
  if (fields.length === 1) return fields[0]!
  const values = fields.flatMap((each) => (each.kind === 'fixed' ? each.values : []))
  return fields.every(({ kind, title }) => kind === 'fixed' && title === undefined)
    ? { kind: 'fixed', values }
    : { kind: 'choice', choices: fields }
}

function readTyped(schema: LooseSchema, reading: Reading): Field {
  switch (own(schema, 'type')) {
    case 'string':
      return {
        kind: 'text',
        ...textsOf(schema, ['format']),
        ...numbersOf(schema, ['minLength', 'maxLength']),
      }
    case 'integer':
    case 'number':
      return {
        kind: 'number',
        isInteger: schema['type'] === 'integer',
        ...numbersOf(schema, [
          'minimum',
          'maximum',
          'exclusiveMinimum',
          'exclusiveMaximum',
          'multipleOf',
        ]),
      }
    case 'boolean':
      return { kind: 'boolean' }
    case 'null':
      return { kind: 'fixed', values: [null] }
    case 'object':
      return readObject(schema, reading)
    case 'array':
      return readList(schema, reading)
    default:
      if (isObject(own(schema, 'properties'))) return readObject(schema, reading)
      return { kind: 'any' }
  }
}

function readObject(schema: LooseSchema, reading: Reading): Field {
  const deeper = { ...reading, depth: reading.depth + 1 }
  const given = own(schema, 'properties')
  const required = own(schema, 'required')
  const needed = new Set<unknown>(Array.isArray(required) ? required : [])
  const names = Object.keys(isObject(given) ? given : {}).filter((name) => !UNSAFE.has(name))
  // Required properties come first.
  const sorted = [
    ...names.filter((name) => needed.has(name)),
    ...names.filter((name) => !needed.has(name)),
  ]
  const shown = sorted.slice(0, Math.max(0, Math.min(LIMITS.properties, reading.left.count)))
  const properties = shown.map((name): Property => ({
    name,
    field: readField((given as LooseSchema)[name], deeper),
    isRequired: needed.has(name),
  }))
  const others = own(schema, 'additionalProperties')
  const left = sorted.length - shown.length
  return {
    kind: 'object',
    properties,
    left,
    others:
      others === false && left === 0 && !Object.hasOwn(schema, 'patternProperties')
        ? undefined
        : isObject(others)
          ? readField(others, deeper)
          : { kind: 'any' },
  }
}

function readList(schema: LooseSchema, reading: Reading): Field {
  const deeper = { ...reading, depth: reading.depth + 1 }
  const first = own(schema, 'prefixItems')
  const items = own(schema, 'items')
  return {
    kind: 'list',
    first: (Array.isArray(first) ? first.slice(0, LIMITS.choices) : []).map((each) =>
      readField(each, deeper),
    ),
    items: items === false ? undefined : readField(items ?? {}, deeper),
    ...numbersOf(schema, ['minItems', 'maxItems']),
  }
}

function isShort(value: unknown): boolean {
  return canonicalJson(value).length <= LIMITS.valueLength
}

function aboutOf(schema: unknown): { title?: string; description?: string; defaultText?: string } {
  if (!isObject(schema)) return {}
  const defaultText = own(schema, 'default')
  return {
    ...textsOf(schema, ['title', 'description']),
    ...(defaultText !== undefined &&
      isShort(defaultText) && { defaultText: JSON.stringify(defaultText) }),
  }
}

function textsOf<Name extends string>(
  schema: LooseSchema,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const found = names.flatMap((name) => {
    const value = own(schema, name)
    return typeof value === 'string' && value !== ''
      ? [[name, value.slice(0, LIMITS.textLength)]]
      : []
  })
  return Object.fromEntries(found) as Partial<Record<Name, string>>
}

function numbersOf<Name extends string>(
  schema: LooseSchema,
  names: readonly Name[],
): Partial<Record<Name, number>> {
  const found = names.flatMap((name) => {
    const value = own(schema, name)
    return typeof value === 'number' ? [[name, value]] : []
  })
  return Object.fromEntries(found) as Partial<Record<Name, number>>
}
