import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import type { Schema } from '@toolglot/core'
import type { Compile } from 'typebox/schema'
import type { Tool } from './tool.ts'

type Parameters = Tool['parameters']

/** What a tool's arguments must be, as JSON Schema: what the model is shown. */
export function jsonSchemaOf(parameters: Parameters): Schema {
  if (!isStandard(parameters)) return parameters
  const { jsonSchema } = parameters['~standard'] as Partial<StandardJSONSchemaV1.Props>
  if (!jsonSchema)
    throw new TypeError(
      'Expected a schema that can be written as JSON Schema, such as one of zod 4.',
    )
  const { $schema: _, ...schema } = jsonSchema.input({ target: 'draft-2020-12' })
  return schema
}

/** The arguments as the tool wants them; or what is wrong with them, a line each. */
export async function checkArguments(
  parameters: Parameters,
  args: unknown,
): Promise<{ args: Record<string, unknown> } | { problems: readonly string[] }> {
  if (!isStandard(parameters)) {
    const problems = await problemsIn(parameters, args)
    return problems.length > 0 ? { problems } : { args: args as Record<string, unknown> }
  }
  const found = await parameters['~standard'].validate(args)
  return found.issues
    ? { problems: found.issues.map(({ path, message }) => said(pathOf(path), message)) }
    : { args: found.value }
}

function isStandard(
  parameters: Parameters,
): parameters is StandardSchemaV1<unknown, Record<string, unknown>> {
  return '~standard' in parameters
}

const compiled = new WeakMap<Schema, ReturnType<typeof Compile>>()

async function problemsIn(schema: Schema, args: unknown): Promise<string[]> {
  let validator = compiled.get(schema)
  if (!validator) {
    // Most tools bring a schema that checks itself.
    const { Compile } = await import('typebox/schema')
    compiled.set(schema, (validator = Compile(schema)))
  }
  if (validator.Check(args)) return []
  const [, errors] = validator.Errors(args)
  // That `false` allows nothing is said by the keyword around it too.
  return errors
    .filter(({ keyword }) => keyword !== 'boolean')
    .map(({ instancePath, message, params }) => {
      const names = Object.values(params)
        .flat()
        .filter((name) => typeof name === 'string')
      return said(instancePath.slice(1), [message, names.join(', ')].filter(Boolean).join(': '))
    })
}

function pathOf(path: StandardSchemaV1.Issue['path'] = []): string {
  return path.map((part) => String(typeof part === 'object' ? part.key : part)).join('/')
}

function said(path: string, message: string): string {
  return path === '' ? message : `${path}: ${message}`
}
