import type { Schema, ToolDefinition } from '../protocol.ts'
import { isSchema, own } from '../schema/resolve.ts'
import { typesOf } from '../schema/types.ts'

/** A parameter of a tool, for listing. */
export interface Parameter {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly description: string | undefined
  readonly schema: Schema
}

/** A tool's parameters in the order of its schema. */
export function parametersOf({ parameters = {} }: ToolDefinition): Parameter[] {
  return membersOf(parameters).map(([name, schema, required]) => {
    const { description } = schema
    return {
      name,
      type: [...(typesOf(schema, parameters) ?? ['any'])].join(' | '),
      required,
      description: typeof description === 'string' ? description : undefined,
      schema,
    }
  })
}

/** The members of an object schema, each with whether it is required. */
export function membersOf(schema: Schema): [name: string, schema: Schema, required: boolean][] {
  const properties = own(schema, 'properties')
  const required = new Set<unknown>([own(schema, 'required')].flat())
  return Object.entries(isSchema(properties) ? properties : {}).map(([name, value]) => [
    name,
    isSchema(value) ? value : {},
    required.has(name),
  ])
}

/** `read_file(path: string, limit?: integer): Read a file` */
export function signature(tool: ToolDefinition): string {
  const parameters = parametersOf(tool).map(
    ({ name, type, required }) => `${label(name, required)}: ${type}`,
  )
  return `${tool.name}(${parameters.join(', ')}): ${tool.description ?? ''}`.trimEnd()
}

/** A parameter's name, marked if it is optional. */
export function label(name: string, required: boolean): string {
  return required ? name : `${name}?`
}
