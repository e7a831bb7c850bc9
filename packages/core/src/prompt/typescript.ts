import { pythonic } from '../python/print.ts'
import { spaced } from '../print/spaced.ts'
import type { Schema, Tool } from '../protocol.ts'
import { isSchema, own } from '../schema/resolve.ts'

/** How a family of models writes the parameters of a tool, or of an object in it. */
type Members = (parameters: Schema, indent: string) => string

/**
 * A tool as the type of a function:
 *
 *     // Read a file
 *     type read_file = (_: {
 *     path: string,
 *     }) => any;
 */
export function functionType(tool: Tool, members: Members, indent = ''): string {
  const { name, description, parameters } = tool
  const head = description === undefined ? '' : `${comment(description, '')}\n`
  const takes = parameters && propertiesOf(parameters).length > 0
  return `${head}type ${name} = (${takes ? `_: {\n${members(parameters, indent)}\n}` : ''}) => any;`
}

/** As gpt-oss (with a comma behind the last) and Apertus write them. */
export function plainMembers(last: ',' | ''): Members {
  return (parameters) =>
    propertiesOf(parameters)
      .map(([name, schema]) => {
        const { description, enum: options, default: preset } = schema
        const above = description ? `// ${pythonText(description)}\n` : ''
        const value = options ? pythonText(preset) : spaced(preset)
        const behind = preset === undefined ? '' : `, // default: ${value}`
        return `${above}${label(name, parameters)}: ${plainType(schema)}${behind}`
      })
      .join(',\n') + last
}

function plainType(schema: Schema): string {
  const { type, items, enum: options, oneOf, nullable } = schema
  const orNull = nullable ? ' | null' : ''
  if (type === 'array') return plainItems(items) + orNull
  if (Array.isArray(type)) return type.join(' | ')
  if (Array.isArray(oneOf)) {
    const several = oneOf.filter(isSchema)
    const objects = several.length > 1 && several.some((one) => one.type === 'object')
    return objects ? 'any' : several.map(plainType).join(' | ')
  }
  if (type === 'string') return Array.isArray(options) ? quoted(options) : `string${orNull}`
  if (type === 'number' || type === 'integer') return 'number'
  if (type === 'boolean') return 'boolean'
  if (type !== 'object') return 'any'
  const members = propertiesOf(schema).map(
    // The templates break the line here, by accident; the models know it so.
    ([name, inner]) => `${label(name, schema)}: \n${' '.repeat(16)}${plainType(inner)}`,
  )
  return members.length > 0 ? `{\n${members.join(', ')}}` : 'object'
}

function plainItems(items: unknown): string {
  if (!isSchema(items)) return 'any[]'
  const { type } = items
  if (type === 'string') return 'string[]'
  const inner = plainType(items)
  return inner.length > 50 ? 'any[]' : `${inner}[]`
}

/** As GigaChat writes them: what is nested stands on lines of its own. */
export const indentedMembers: Members = (parameters, indent) => {
  const { additionalProperties: more } = parameters
  const rest = more === true ? {} : more
  const lines = propertiesOf(parameters).flatMap(([name, schema]) => {
    const { description, default: preset } = schema
    const facts = Object.entries(schema).filter(([key]) => FACTS.includes(key))
    const behind = preset === undefined ? '' : ` // default: ${literal(preset)}`
    return [
      ...(description === undefined ? [] : [comment(pythonText(description), indent)]),
      ...facts.map(([key, fact]) => `${indent}// ${key}: ${literal(fact)}`),
      `${indent}${label(name, parameters)}: ${indentedType(schema, `${indent}  `)},${behind}`,
    ]
  })
  if (isSchema(rest)) lines.push(`${indent}[key: string]: ${indentedType(rest, `${indent}  `)}`)
  return lines.join('\n')
}

const FACTS = ['format', 'maxItems', 'maximum', 'minItems', 'minimum', 'pattern']

function indentedType(schema: Schema, indent: string): string {
  const { type, items, enum: options, format } = schema
  if (type === 'object') {
    const inside = indentedMembers(schema, indent)
    return `{\n${inside && `${inside}\n`}${indent.slice(2)}}`
  }
  if (type === 'array') return isSchema(items) ? `${indentedType(items, indent)}[]` : 'Array<any>'
  if (type === 'string' && Array.isArray(options)) return quoted(options)
  if (type === 'string') return format === 'date' || format === 'date-time' ? 'Date' : 'string'
  if (type === 'number' || type === 'integer') {
    return Array.isArray(options) ? options.join(' | ') : 'number'
  }
  return type === 'boolean' ? 'boolean' : 'any'
}

/** As Functionary 3.2 writes them: what is known of a parameter is one sentence after the other. */
export const remarkedMembers: Members = (parameters, indent) =>
  propertiesOf(parameters)
    .flatMap(([name, schema]) => {
      const { examples } = schema
      const remark = remarkOn(schema)
      const shown = Array.isArray(examples) ? [`Example ${name}:`, ...examples] : []
      return [
        ...(remark === '' ? [] : [`//${remark}`]),
        ...shown.map((example) => `// ${pythonText(example).replaceAll("'", '"')}`),
        `${label(name, parameters)}: ${remarkedType(schema, indent)},`,
      ]
    })
    .map((line) => indent + line)
    .join('\n')

function remarkOn(schema: Schema): string {
  const { description, default: preset, format, type } = schema
  const said = description === undefined ? '' : pythonText(description)
  return [
    said && ` ${said.endsWith('.') ? said : `${said}.`}`,
    preset !== undefined &&
      ` Default=${type === 'string' ? `"${pythonText(preset)}"` : pythonText(preset)}.`,
    format !== undefined && ` Format=${pythonText(format)}`,
    ...LIMITS.map(([key, title]) => key in schema && ` ${title}=${pythonText(schema[key])}`),
  ]
    .filter((part) => part !== false)
    .join('')
}

const LIMITS = [
  ['maximum', 'Maximum'],
  ['minimum', 'Minimum'],
  ['maxLength', 'Maximum length'],
  ['minLength', 'Minimum length'],
] as const

function remarkedType(schema: Schema, indent: string): string {
  const { type, items, enum: options, oneOf, nullable } = schema
  if (type === 'object') {
    const inside = remarkedMembers(schema, `${indent}    `)
    return `{\n${inside && `${inside}\n`}${indent}}`
  }
  if (type === 'array') {
    if (!isSchema(items) || items.type === undefined) return '[]'
    const inner = remarkedType(items, items.type === 'array' ? `${indent}    ` : indent)
    return 'enum' in items ? `(${inner})[]` : `${inner}[]`
  }
  const types = Array.isArray(oneOf) ? oneOf.filter(isSchema).map((one) => one.type) : [type].flat()
  const plain = [...new Set(types.filter((one) => typeof one === 'string'))].join(' | ') || 'any'
  const named = plain === 'integer' || plain === 'float' ? 'number' : plain
  return (
    (Array.isArray(options) ? options.map(literal).join(' | ') : named) +
    (nullable ? ' | null' : '')
  )
}

function propertiesOf(schema: Schema): [name: string, schema: Schema][] {
  const properties = own(schema, 'properties')
  if (!isSchema(properties)) return []
  return Object.entries(properties).map(([name, value]) => [name, isSchema(value) ? value : {}])
}

/** A parameter's name, marked where it may be left out. */
function label(name: string, { required }: Schema): string {
  return Array.isArray(required) && required.includes(name) ? name : `${name}?`
}

/** Text as comments, a line each, blank lines left out. */
function comment(text: string, indent: string): string {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => `${indent}// ${line}`)
    .join('\n')
}

function quoted(options: readonly unknown[]): string {
  return options.map((option) => `"${pythonText(option)}"`).join(' | ')
}

/** Strings in quotes, anything else as Python shows it. */
function literal(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : pythonText(value)
}

/** As Python's `str` shows it. */
function pythonText(value: unknown): string {
  return typeof value === 'string' ? value : pythonic(value)
}
