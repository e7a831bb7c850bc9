import { isObject, propertiesOf, tryJsonSchemaOf } from './json-schema.ts'
import type { Tool } from './tool.ts'

type Arguments = Readonly<Record<string, unknown>>

/** Merges the arguments of a call with the preset ones and the defaults of the schema, in this order of precedence. */
export function applyDefaults(
  parameters: Tool['parameters'],
  preset: Arguments | undefined,
  given: Arguments,
): Record<string, unknown> {
  const args = Object.create(null) as Record<string, unknown>
  for (const each of [defaultsOf(parameters), preset ?? {}, given]) {
    for (const [key, value] of Object.entries(each)) if (value !== undefined) args[key] = value
  }
  return args
}

const known = new WeakMap<object, Arguments>()

function defaultsOf(parameters: Tool['parameters']): Arguments {
  let defaults = known.get(parameters)
  if (!defaults) {
    const entries = Object.entries(propertiesOf(tryJsonSchemaOf(parameters))).flatMap(
      ([key, schema]) =>
        isObject(schema) && schema['default'] !== undefined ? [[key, schema['default']]] : [],
    )
    known.set(parameters, (defaults = Object.fromEntries(entries) as Arguments))
  }
  return defaults
}
