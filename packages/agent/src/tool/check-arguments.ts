import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Schema } from '@toolglot/core'
import { describeProblems } from './describe-problems.ts'
import { freezeAll, frozenCopy } from './frozen-copy.ts'
import { decodePointerPart } from './schema-problems.ts'
import { isStandardSchema, propertiesOf, tryJsonSchemaOf } from './json-schema.ts'
import { takesTooLong } from './schema-work.ts'
import type { Tool } from './tool.ts'

type Parameters = Tool['parameters']

/**
 * Returns the arguments as the schema outputs them, frozen; or their problems, a line each. `unusable`: the schema would take too
 * long to check them.
 */
export async function checkArguments(
  parameters: Parameters,
  args: unknown,
): Promise<
  { args: Record<string, unknown> } | { problems: readonly string[]; readonly unusable?: true }
> {
  const given = copyOf(args)
  if (given instanceof RangeError) return { problems: [given.message] }
  const unsafe = unsafeKeyIn(given, () => Object.keys(propertiesOf(tryJsonSchemaOf(parameters))))
  if (unsafe !== undefined) return { problems: [`${unsafe}: an argument must not have this name`] }
  if (!isStandardSchema(parameters) && takesTooLong(parameters, given))
    return {
      problems: ['the schema of this tool is too complex to check arguments'],
      unusable: true,
    }
  const found = isStandardSchema(parameters)
    ? await parameters['~standard'].validate(given)
    : await checkBySchema(parameters, given)
  if (!found.issues) return { args: freezeAll(found.value as Record<string, unknown>) }
  const issues = found.issues.map(({ path, message }) => ({ path: pathOf(path), message }))
  return { problems: describeProblems(tryJsonSchemaOf(parameters), given, issues) }
}

function copyOf(args: unknown): unknown {
  try {
    return frozenCopy(args)
  } catch (error) {
    if (error instanceof RangeError) return error
    throw error
  }
}

/** The schema is followed, not compiled: code that is generated from what a stranger wrote is not worth its speed. */
async function checkBySchema(
  schema: Schema,
  args: unknown,
): Promise<StandardSchemaV1.Result<unknown>> {
  // Loaded on demand: most schemas can validate without it.
  const { Check, Errors } = await import('typebox/schema')
  if (Check(schema, args)) return { value: args }
  const [, errors] = Errors(schema, args)
  // A `false` schema is reported by the enclosing keyword as well.
  const issues = errors
    .filter(({ keyword }) => keyword !== 'boolean')
    .map(({ instancePath, message, params }) => {
      const names = Object.values(params)
        .flat()
        .filter((name) => typeof name === 'string')
      return {
        path: instancePath.split('/').slice(1).map(decodePointerPart),
        message: [message, names.join(', ')].filter(Boolean).join(': '),
      }
    })
  return { issues }
}

function pathOf(path: StandardSchemaV1.Issue['path'] = []): readonly string[] {
  return path.map((part) => String(typeof part === 'object' ? part.key : part))
}

/**
 * The path of a key that could reach an object's prototype; undefined if there is none. `names` are the arguments of the
 * tool, one of which may be called `constructor`.
 */
function unsafeKeyIn(value: unknown, names: () => readonly string[]): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, member] of Object.entries(value)) {
    if (UNSAFE_KEYS.has(key) && (key === '__proto__' || !names().includes(key))) return key
    const nested = unsafeKeyIn(member, () => [])
    if (nested !== undefined) return `${key}/${nested}`
  }
  return undefined
}

const UNSAFE_KEYS = new Set(['__proto__', 'constructor', 'prototype'])
