import type { Schema } from '@toolglot/core'
import { cleanText, isClean } from './clean-text.ts'

/** Cleans an untrusted schema for validation and for the prompt; returns the reason if it is not usable. */
export function cleanSchema(schema: unknown): Schema | string {
  try {
    if ((JSON.stringify(schema) ?? '').length > MAX_LENGTH)
      return `the schema of its parameters is longer than ${MAX_LENGTH} characters`
    return schemaOf(schema, 0) as Schema
  } catch (error) {
    if (error instanceof UnusableSchema) return error.message
    if (error instanceof RangeError) return TOO_DEEP // The stack was not enough for it.
    throw error
  }
}

const MAX_LENGTH = 65_536
const MAX_DEPTH = 32
const MAX_TEXT_LENGTH = 1000
const TOO_DEEP = 'the schema of its parameters is nested too deeply'

class UnusableSchema extends Error {}

/** Keywords whose values are maps of schemas. */
const NAMED = new Set(['properties', '$defs', 'definitions', 'dependentSchemas'])
/** Keywords whose values are plain data. */
const DATA = new Set(['enum', 'const', 'default', 'examples', 'required', 'type', '$ref'])
const TEXTS = new Set(['description', 'title'])
/**
 * Keywords that are dropped. An untrusted regular expression could take forever on a model's text, and the server checks
 * it anyway. The others do not constrain arguments.
 */
const LEFT_OUT = new Set(['pattern', 'patternProperties', '$comment', '$schema', '$id'])
/** Keywords that would reject more without the patterns inside. */
const REVERSED = new Set(['not', 'if', 'oneOf'])

function schemaOf(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new UnusableSchema(TOO_DEEP)
  if (Array.isArray(value)) return value.map((each) => schemaOf(each, depth + 1))
  if (!isObject(value)) return checked(value)
  const reference = value['$ref']
  if (reference !== undefined && !(typeof reference === 'string' && reference.startsWith('#')))
    throw new UnusableSchema('the schema of its parameters refers to another document ($ref)')
  const entries = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
    if (LEFT_OUT.has(key) || (REVERSED.has(key) && hasPattern(member))) return []
    // Without the patterns, names that match them would count as additional.
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
  if (depth > MAX_DEPTH) throw new UnusableSchema(TOO_DEEP)
  if (Array.isArray(value)) return value.map((each) => dataOf(each, depth + 1))
  if (!isObject(value)) return checked(value)
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [checkedName(key), dataOf(member, depth + 1)]),
  )
}

function checkedName(name: string): string {
  if (['__proto__', 'constructor', 'prototype'].includes(name))
    throw new UnusableSchema(`it has a parameter named ${name}`)
  return checked(name)
}

/** For text that must be kept exactly. */
function checked<Value>(value: Value): Value {
  if (typeof value === 'string' && !isClean(value))
    throw new UnusableSchema('the schema of its parameters contains hidden characters')
  return value
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
