import { printDictionary, sorted } from '../print/output.ts'
import type { Schema, ToolDefinition } from '../protocol.ts'
import { isSchema } from '../schema/resolve.ts'

/**
 * A tool in the form of Gemma's templates: unquoted, sorted keys; types last and in capitals;
 * strings between marks.
 *
 *     declaration:ping{description:"…",parameters:{properties:{host:{type:"STRING"}},required:["host"],type:"OBJECT"}}
 */
export function gemmaDeclaration(tool: ToolDefinition, quote: string): string {
  const { name, description = '', parameters } = tool
  const schema = parameters && Object.keys(parameters).length > 0 ? parameters : undefined
  const parts = [
    `description:${quote}${description}${quote}`,
    ...(schema ? [`parameters:{${objectParts(schema, quote).join(',')}}`] : []),
  ]
  return `declaration:${name}{${parts.join(',')}}`
}

/** The members of an object's schema. */
function objectParts({ properties, required, type }: Schema, quote: string): string[] {
  return [
    ...(isSchema(properties) ? [`properties:${propertiesText(properties, quote)}`] : []),
    ...(Array.isArray(required) && required.length > 0
      ? [`required:${printDictionary(required, quote)}`]
      : []),
    ...(type === undefined ? [] : [`type:${typeText(type, quote)}`]),
  ]
}

function propertiesText(properties: Schema, quote: string): string {
  const entries = sorted(properties).map(([key, value]) => {
    const schema = isSchema(value) ? value : {}
    return `${key}:{${propertyParts(schema, quote).join(',')}}`
  })
  return `{${entries.join(',')}}`
}

function propertyParts(schema: Schema, quote: string): string[] {
  const { description, enum: choices, items, nullable, type = '', properties, required } = schema
  return [
    ...(description ? [`description:${printDictionary(description, quote)}`] : []),
    ...(type === 'string' && choices ? [`enum:${printDictionary(choices, quote)}`] : []),
    ...(type === 'array' && isSchema(items)
      ? [`items:{${itemParts(items, quote).join(',')}}`]
      : []),
    ...(nullable ? ['nullable:true'] : []),
    ...(type === 'object' ? objectParts({ properties: properties ?? {}, required }, quote) : []),
    `type:${typeText(type, quote)}`,
  ]
}

/** The items of an array are described in full. */
function itemParts(items: Schema, quote: string): string[] {
  return sorted(items).map(([key, value]) => {
    if (key === 'properties' && isSchema(value)) return `${key}:${propertiesText(value, quote)}`
    return `${key}:${key === 'type' ? typeText(value, quote) : printDictionary(value, quote)}`
  })
}

function typeText(type: unknown, quote: string): string {
  const types = [type].flat().map((each) => String(each).toUpperCase())
  return printDictionary(Array.isArray(type) ? types : types[0], quote)
}
