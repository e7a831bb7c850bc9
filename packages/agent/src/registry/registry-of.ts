import { printPrompt, type Protocol } from '@toolglot/core'
import { jsonSchemaOf } from '../tool/parameters.ts'
import type { Tool } from '../tool/tool.ts'
import type { Registry } from './registry.ts'
export function registryOf(
  tools: Registry | Iterable<Tool> | ReadonlyMap<string, Tool> = [],
): Registry {
  if ('definitions' in tools) return tools
  const all: Map<string, Tool> =
    tools instanceof Map ? tools : new Map([...(tools as Iterable<Tool>)].map((t) => [t.name, t]))
  const definitions = [...all.values()].map(({ name, description, parameters }) => ({
    name,
    description,
    parameters: jsonSchemaOf(parameters),
  }))
  return {
    revision: 0,
    tools: all,
    middleware: [],
    find: (name) => all.get(name),
    definitions: () => definitions,
    prompt: (p: Protocol) => printPrompt(p, definitions),
  }
}
