import type { Schema, ToolDefinition } from '../protocol.ts'
import { pythonWords } from '../python/print.ts'
import { membersOf } from './signature.ts'

/** A tool as a tree of tags, one per line, as in the prompt of Qwen3-Coder. */
export function xmlTree({ name, description, parameters = {} }: ToolDefinition): string {
  return [
    '<function>',
    `<name>${name}</name>`,
    ...(description === undefined ? [] : [`<description>${description.trim()}</description>`]),
    '<parameters>',
    ...membersOf(parameters).flatMap(parameter),
    ...others(parameters, ['type', 'properties']),
    '</parameters>',
    '</function>',
  ].join('\n')
}

function parameter([name, schema]: readonly [string, Schema, boolean]): string[] {
  const { type, description } = schema
  return [
    '<parameter>',
    `<name>${name}</name>`,
    ...(type === undefined ? [] : [`<type>${typeText(type)}</type>`]),
    ...(typeof description === 'string'
      ? [`<description>${description.trim()}</description>`]
      : []),
    ...others(schema, ['name', 'type', 'description']),
    '</parameter>',
  ]
}

/** The remaining keywords of a schema, one tag each. */
function others(schema: Schema, handled: readonly string[]): string[] {
  return Object.entries(schema)
    .filter(([keyword]) => !handled.includes(keyword))
    .map(([keyword, value]) => `<${keyword}>${pythonWords(value)}</${keyword}>`)
}

/** Several types are printed as a Python list. */
function typeText(type: unknown): string {
  return Array.isArray(type) ? `['${type.join("', '")}']` : pythonWords(type)
}
