import type { Schema } from '@toolglot/core'
import { canonicalJson } from '@toolglot/permissions/internal'
import { isObject } from '../tool/json-schema.ts'

/**
 * The parameters of a tool in one line, as a programmer would write them: `(file_path, limit?: integer, mode?: a | b)`.
 * Texts are the default type, so they are not named.
 */
export function shortSignature(parameters: Schema | undefined): string {
  return `(${parameters ? fieldsOf(parameters, 0) : ''})`
}

function fieldsOf(schema: Schema, depth: number): string {
  const { properties, required } = schema
  if (!isObject(properties)) return ''
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name)
  return Object.entries(properties)
    .map(([name, value]) => {
      const type = isObject(value) ? typeOf(value, depth + 1) : ''
      return `${name}${isRequired(name) ? '' : '?'}${type === '' ? '' : `: ${type}`}`
    })
    .join(', ')
}

/** A type in a few characters; empty for a text, and for what is too deep or too odd to be said briefly. */
function typeOf(schema: Schema, depth: number): string {
  const { type, items, enum: choices } = schema
  if (Array.isArray(choices) && choices.length <= MAX_CHOICES)
    return choices
      .map((choice) => (typeof choice === 'string' ? choice : canonicalJson(choice)))
      .join(' | ')
  if (type === 'array')
    return `${isObject(items) && depth < MAX_DEPTH ? typeOf(items, depth) || 'string' : 'any'}[]`
  if (type === 'object') {
    const fields = depth < MAX_DEPTH ? fieldsOf(schema, depth) : ''
    return fields === '' ? 'object' : `{${fields}}`
  }
  const named = (Array.isArray(type) ? type : [type]).filter((each) => typeof each === 'string')
  return named.every((each) => each === 'string') ? '' : named.join(' | ')
}

const MAX_DEPTH = 5
const MAX_CHOICES = 20
