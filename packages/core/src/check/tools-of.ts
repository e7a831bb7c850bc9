import type { Examples, ToolDefinition } from '../protocol.ts'
import { typeOf } from '../schema/types.ts'

/** Tools for the calls in these examples, with the argument types that occur there. */
export function toolsOf(examples: Examples): ToolDefinition[] {
  const tools = new Map<string, Map<string, Set<string>>>()
  for (const [name, args] of Object.values(examples).flatMap(({ calls = [] }) => calls)) {
    const properties = tools.get(name) ?? new Map<string, Set<string>>()
    tools.set(name, properties)
    for (const [key, value] of Object.entries(args)) {
      properties.set(key, (properties.get(key) ?? new Set()).add(typeOf(value)))
    }
  }
  return [...tools].map(([name, properties]) => ({
    name,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(
        [...properties].map(([key, types]) => [key, { type: [...types] }]),
      ),
    },
  }))
}
