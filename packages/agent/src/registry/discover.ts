import type { Schema } from '@toolglot/core'
import { jsonSchemaOf } from '../tool/json-schema.ts'
import type { Tool } from '../tool/tool.ts'
import type { RegistryEntry } from './tool-store.ts'
import { toolNameOf, isCallable, parametersOf, type Toolkit } from './toolkit.ts'

/** A toolkit in the registry and its methods. */
export interface DiscoveredToolkit {
  readonly toolId: string
  /** The display name. */
  readonly toolName: string
  readonly methods: readonly DiscoveredMethod[]
}

/** A method of a toolkit in the registry. */
export interface DiscoveredMethod {
  readonly name: string
  /** The name to use in a call. */
  readonly call: string
  readonly description: string
  readonly parameters: Schema
  readonly agentCallable: boolean
  /** True if the configuration enables it. */
  readonly enabled: boolean
}

/** Selects methods. */
export type MethodFilter = (method: DiscoveredMethod) => boolean

/**
 * Lists the toolkits and methods that match a filter. Toolkits without such methods are omitted.
 * `enabled` contains the enabled tools by name, including aliases offered instead of their tools.
 */
export function discoverToolkits(
  entries: readonly RegistryEntry[],
  toolkits: Iterable<Toolkit>,
  enabled: ReadonlyMap<string, Tool>,
  filter: MethodFilter = ({ agentCallable, enabled: isEnabled }) => agentCallable && isEnabled,
): readonly DiscoveredToolkit[] {
  const known = new Set(entries.map(({ tool }) => tool.name))
  const standalone = entries.flatMap(({ tool, toolkit }) => (toolkit === undefined ? [tool] : []))
  const aliases = [...enabled.values()].filter(({ name }) => !known.has(name))
  const all = [
    ...[...standalone, ...aliases].map((tool) => asToolkit(tool, enabled)),
    ...[...toolkits].map((toolkit) => withMethods(toolkit, enabled)),
  ]
  return all
    .map((toolkit) => ({ ...toolkit, methods: toolkit.methods.filter(filter) }))
    .filter(({ methods }) => methods.length > 0)
}

function withMethods(toolkit: Toolkit, enabled: ReadonlyMap<string, Tool>): DiscoveredToolkit {
  const methods = toolkit.methods.map((method): DiscoveredMethod => {
    const call = toolNameOf(toolkit, method)
    return {
      name: method.name,
      call,
      description: method.description ?? '',
      parameters: jsonSchemaOf(parametersOf(method)),
      agentCallable: isCallable(method),
      enabled: enabled.has(call),
    }
  })
  return { toolId: toolkit.id, toolName: toolkit.name ?? toolkit.id, methods }
}

/** Lists a tool without a toolkit as a toolkit with one method. */
function asToolkit(tool: Tool, enabled: ReadonlyMap<string, Tool>): DiscoveredToolkit {
  const { name, description, parameters } = tool
  const method = {
    name,
    call: name,
    description,
    parameters: jsonSchemaOf(parameters),
    agentCallable: true,
    enabled: enabled.has(name),
  }
  return { toolId: name, toolName: name, methods: [method] }
}
