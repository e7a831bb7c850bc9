import type { Schema } from '@toolglot/core'
import { cleanText, isClean } from './clean-text.ts'

/** A stranger's schema as arguments are checked by it and a model is shown it; or why it is not taken. */
export function cleanSchema(schema: unknown): Schema | string {
  if ((JSON.stringify(schema) ?? '').length > MAX_LENGTH)
    return `its parameters are described in more than ${MAX_LENGTH} characters`
  try {
    return schemaOf(schema, 0) as Schema
  } catch (error) {
    if (error instanceof UnusableSchema) return error.message
    throw error
  }
}

const MAX_LENGTH = 65_536
const MAX_DEPTH = 32
const MAX_TEXT_LENGTH = 1000

class UnusableSchema extends Error {}

/** What holds schemas under names that are not keywords. */
const NAMED = new Set(['properties', '$defs', 'definitions', 'dependentSchemas'])
/** What holds plain data. */
const DATA = new Set(['enum', 'const', 'default', 'examples', 'required', 'type', '$ref'])
const TEXTS = new Set(['description', 'title'])
/**
 * What is left out. A regular expression of a stranger could take for ever on a model's text: the server checks those
 * itself. The rest says nothing about arguments.
 */
const LEFT_OUT = new Set(['pattern', 'patternProperties', '$comment', '$schema', '$id'])
/** What would refuse more if an expression in it were left out. */
const REVERSED = new Set(['not', 'if', 'oneOf'])

function schemaOf(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new UnusableSchema('its parameters are described too deep')
  if (Array.isArray(value)) return value.map((each) => schemaOf(each, depth + 1))
  if (!isObject(value)) return checked(value)
  const reference = value['$ref']
  if (reference !== undefined && !(typeof reference === 'string' && reference.startsWith('#')))
    throw new UnusableSchema('its parameters are described elsewhere ($ref)')
  const entries = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
    if (LEFT_OUT.has(key) || (REVERSED.has(key) && hasPattern(member))) return []
    // Names that fit a pattern would count as additional ones now.
    if (key === 'additionalProperties' && 'patternProperties' in value) return []
    if (TEXTS.has(key) && typeof member === 'string')
      return [[key, cleanText(member, MAX_TEXT_LENGTH)]]
    if (DATA.has(key)) return [[key, dataOf(member, depth + 1)]]
    if (NAMED.has(key) && isObject(member)) return [[key, namedOf(member, depth + 1)]]
    return [[checkedName(key), schemaOf(member, depth + 1)]]
  })
  return Object.fromEntries(entries)
}

function hasPattern(value: unknown): boolean {
  return JSON.stringify(value).includes('"pattern')
}

function namedOf(members: Record<string, unknown>, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).map(([name, schema]) => [checkedName(name), schemaOf(schema, depth)]),
  )
}

function dataOf(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new UnusableSchema('its parameters are described too deep')
  if (Array.isArray(value)) return value.map((each) => dataOf(each, depth + 1))
  if (!isObject(value)) return checked(value)
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [checkedName(key), dataOf(member, depth + 1)]),
  )
}

function checkedName(name: string): string {
  if (['__proto__', 'constructor', 'prototype'].includes(name))
    throw new UnusableSchema(`it has a parameter ${name}`)
  return checked(name)
}

/** What must be kept to the letter. */
function checked<Value>(value: Value): Value {
  if (typeof value === 'string' && !isClean(value))
    throw new UnusableSchema('hidden characters stand in the description of its parameters')
  return value
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
