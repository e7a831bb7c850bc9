import type { Schema, ToolDefinition } from '../protocol.ts'
import { isSchema, own } from '../schema/resolve.ts'
import { typesOf } from '../schema/types.ts'

/** A parameter of a tool, as a person would list it. */
export interface Parameter {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly description: string | undefined
  readonly schema: Schema
}

/** A tool's parameters, in the order its schema declares them. */
export function parametersOf({ parameters }: ToolDefinition): Parameter[] {
  const properties = parameters && own(parameters, 'properties')
  if (!isSchema(properties)) return []
  const required = own(parameters!, 'required')
  return Object.entries(properties).map(([name, value]) => {
    const schema = isSchema(value) ? value : {}
    const { description } = schema
    return {
      name,
      type: [...(typesOf(schema, parameters!) ?? ['any'])].join(' | '),
      required: Array.isArray(required) && required.includes(name),
      description: typeof description === 'string' ? description : undefined,
      schema,
    }
  })
}

/** `read_file(path: string, limit?: integer): Read a file` */
export function signature(tool: ToolDefinition): string {
  const parameters = parametersOf(tool).map(
    ({ name, type, required }) => `${name}${required ? '' : '?'}: ${type}`,
  )
  return `${tool.name}(${parameters.join(', ')}): ${tool.description ?? ''}`.trimEnd()
}
