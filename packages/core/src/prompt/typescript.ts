import { pythonic } from '../python/print.ts'
import { spaced } from '../print/spaced.ts'
import type { Schema, ToolDefinition } from '../protocol.ts'
import { isSchema } from '../schema/resolve.ts'
import { label, membersOf } from './signature.ts'

/** Prints the parameters of a tool, or of an object in it, in the style of a family of models. */
type Members = (parameters: Schema, indent: string) => string

/**
 * A tool as the type of a function:
 *
 *     // Read a file
 *     type read_file = (_: {
 *     path: string,
 *     }) => any;
 */
export function functionType(tool: ToolDefinition, members: Members, indent = ''): string {
  const { name, description, parameters } = tool
  const head = comments(description).map((line) => `${line}\n`)
  const takes = parameters && membersOf(parameters).length > 0
  return `${head.join('')}type ${name} = (${takes ? `_: {\n${members(parameters, indent)}\n}` : ''}) => any;`
}

/** In the style of gpt-oss (with a trailing comma) and Apertus. */
export function plainMembers(last: ',' | ''): Members {
  return (parameters) =>
    membersOf(parameters)
      .map(([name, schema, required]) => {
        const { description, enum: options, default: preset } = schema
        const above = description ? `// ${pythonText(description)}\n` : ''
        const value = options ? pythonText(preset) : spaced(preset)
        const after = preset === undefined ? '' : `, // default: ${value}`
        return `${above}${label(name, required)}: ${plainType(schema)}${after}`
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
  if (type === 'string') return Array.isArray(options) ? choices(options) : `string${orNull}`
  if (type === 'number' || type === 'integer') return 'number'
  if (type === 'boolean') return 'boolean'
  if (type !== 'object') return 'any'
  const members = membersOf(schema).map(
    // The templates have this line break by accident, and models were trained with it.
    ([name, inner, required]) => `${label(name, required)}: \n${' '.repeat(16)}${plainType(inner)}`,
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

/** The comments above and after a parameter, and the indentation of nested objects. */
interface Style {
  readonly above: (schema: Schema) => string[]
  readonly after?: (schema: Schema) => string
  readonly step: string
  /** The type of a list without an item type. */
  readonly list: string
}

/** Prints members in the style of GigaChat. */
export const indentedMembers: Members = /* @__PURE__ */ membersIn({
  above: (schema) => [
    ...comments(schema.description),
    ...Object.entries(schema)
      .filter(([key]) => FACTS.includes(key))
      .map(([key, fact]) => `// ${key}: ${literal(fact)}`),
  ],
  after: ({ default: preset }) => (preset === undefined ? '' : ` // default: ${literal(preset)}`),
  step: '  ',
  list: 'Array<any>',
})

const FACTS = ['format', 'maxItems', 'maximum', 'minItems', 'minimum', 'pattern']

/** In the style of Functionary 3.2: the facts about a parameter as sentences. */
export const remarkedMembers: Members = /* @__PURE__ */ membersIn({
  above: (schema) => {
    const { description, default: preset, format } = schema
    const text = description === undefined ? '' : pythonText(description)
    const remark = [
      text && ` ${text}${text.endsWith('.') ? '' : '.'}`,
      preset === undefined ? '' : ` Default=${literal(preset)}.`,
      format === undefined ? '' : ` Format=${pythonText(format)}`,
      ...LIMITS.filter(([key]) => key in schema).map(
        ([key, title]) => ` ${title}=${pythonText(schema[key])}`,
      ),
    ].join('')
    return remark ? [`//${remark}`] : []
  },
  step: '    ',
  list: '[]',
})

const LIMITS = [
  ['maximum', 'Maximum'],
  ['minimum', 'Minimum'],
  ['maxLength', 'Maximum length'],
  ['minLength', 'Minimum length'],
] as const

/** One parameter per line, nested ones on separate lines. */
function membersIn({ above, after = () => '', step, list }: Style): Members {
  return members

  function members(parameters: Schema, indent: string): string {
    return membersOf(parameters)
      .flatMap(([name, schema, required]) => [
        ...above(schema),
        `${label(name, required)}: ${typeOf(schema, indent)},${after(schema)}`,
      ])
      .map((line) => indent + line)
      .join('\n')
  }

  function typeOf(schema: Schema, indent: string): string {
    const { type, items, enum: options } = schema
    if (type === 'object') {
      const inside = members(schema, indent + step)
      return `{\n${inside && `${inside}\n`}${indent}}`
    }
    if (type === 'array') return isSchema(items) ? `${typeOf(items, indent)}[]` : list
    if (Array.isArray(options)) return choices(options)
    return [type ?? 'any'].flat().map(String).join(' | ').replace('integer', 'number')
  }
}

/** Text as comments, one per line, without blank lines. */
function comments(text: unknown): string[] {
  return pythonText(text ?? '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => `// ${line}`)
}

function choices(options: readonly unknown[]): string {
  return options.map(literal).join(' | ')
}

/** Strings in quotes, other values as printed by Python's `str`. */
function literal(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : pythonText(value)
}

/** A value as printed by Python's `str`. */
function pythonText(value: unknown): string {
  return typeof value === 'string' ? value : pythonic(value)
}
