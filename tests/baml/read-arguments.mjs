// Reads arguments with BAML's parser: schemas become types in its language, which it compiles
// without network access.
import { createRequire } from 'node:module'

/** @typedef {Record<string, any>} Schema */
/** @typedef {(text: string, schema: Schema) => unknown} Read */

/**
 * The used part of its runtime.
 *
 * @typedef {object} Runtime
 * @property {() => object} createContextManager
 * @property {(name: string, text: string, mayBePart: boolean, context: object, types: null,
 * clients: null, environment: {}) => unknown} parseLlmResponse
 */

/**
 * A reader for objects of these schemas.
 *
 * @param {readonly Schema[]} schemas
 * @returns {Read}
 */
export function createReader(schemas) {
  process.env['BAML_LOG'] ??= 'off'
  /** @type {{ BamlRuntime: { fromFiles(root: string, files: Record<string, string>, environment: {}): Runtime } }} */
  const { BamlRuntime } = createRequire(import.meta.url)('@boundaryml/baml')
  const classes = new Classes()
  const names = new Map([...new Set(schemas)].map((schema, i) => [schema, `Read${i}`]))
  const functions = [...names].map(([schema, name]) => functionOf(name, classes.typeOf(schema)))
  const source = [CLIENT, ANY, ...classes.texts, ...functions]
  const runtime = BamlRuntime.fromFiles('.', { 'types.baml': source.join('\n\n') }, {})
  const context = runtime.createContextManager()
  return (text, schema) => {
    const name = /** @type {string} */ (names.get(schema))
    const read = runtime.parseLlmResponse(name, text, false, context, null, null, {})
    return withoutMissing(read, schema)
  }
}

const CLIENT = `client<llm> Nobody {
  provider openai
  options {
    model "none"
    api_key "none"
  }
}`
const ANY = 'type Any = string | int | float | bool | null | Any[] | map<string, Any>'

/**
 * @param {string} name
 * @param {string} type
 */
function functionOf(name, type) {
  return `function ${name}() -> ${type} {
  client Nobody
  prompt #"{{ ctx.output_format }}"#
}`
}

class Classes {
  /** @type {string[]} */
  texts = []

  /**
   * @param {Schema | boolean | null | undefined} schema
   * @returns {string}
   */
  typeOf(schema) {
    if (typeof schema !== 'object' || schema === null) return 'Any'
    const { type, enum: values, properties, items, anyOf, oneOf = anyOf } = schema
    if (Array.isArray(values)) return union(values.map((value) => JSON.stringify(value)))
    if (Array.isArray(oneOf)) return union(oneOf.map((one) => this.typeOf(one)))
    if (Array.isArray(type)) return union(type.map((one) => this.typeOf({ ...schema, type: one })))
    if (properties) return this.#classOf(properties)
    if (items || isArray(type)) return `(${this.typeOf(items)})[]`
    return SCALARS.find(([names]) => names.test(type))?.[1] ?? 'Any'
  }

  /** @param {Record<string, Schema>} properties */
  #classOf(properties) {
    const entries = Object.entries(properties)
    // An invalid optional member becomes null; an invalid required one makes the parser refuse the
    // text.
    const optional = entries.length > 1 ? '?' : ''
    const members = entries.map(([key, schema]) => `  ${key} (${this.typeOf(schema)})${optional}`)
    const name = `Object${this.texts.length}`
    this.texts.push([`class ${name} {`, ...members, '}'].join('\n'))
    return name
  }
}

/** @param {string[]} types */
function union(types) {
  return `(${[...new Set(types)].join(' | ')})`
}

/** @param {unknown} type */
function isArray(type) {
  return typeof type === 'string' && /^(?:array|list|sequence)$/.test(type)
}

/** Types by their names, as people write them into schemas. */
const SCALARS = /** @type {const} */ ([
  [/^(?:string|str|text|varchar|char|enum)$/, 'string'],
  [/^(?:u?int|unsigned|long)(?!erval)/, 'int'],
  [/^(?:number|float|double)/, 'float'],
  [/^(?:bool|binary)/, 'bool'],
  [/^null$/, 'null'],
  [/^(?:object|dict|map)$/, 'map<string, Any>'],
])

/**
 * BAML adds missing members as null.
 *
 * @param {unknown} value
 * @param {Schema} schema
 */
function withoutMissing(value, schema) {
  if (typeof value !== 'object' || value === null || !schema['properties']) return value
  const keys = Object.keys(schema['properties'])
  // If there is only one member, null may also be its actual value.
  if (keys.length === 1) return { ...value }
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
}
