import type { Schema } from '@toolglot/core'
import { jsonSchemaOf } from '../tool/json-schema.ts'
import type { ToolCallConfig } from './tool-call-config.ts'
import { toolNameOf, isCallable, parametersOf, type Toolkit } from './toolkit.ts'
import { type RegistryEntry, isEntryEnabled } from './view.ts'

/** A toolkit in the registry and its methods. */
export interface DiscoveredToolkit {
  readonly toolId: string
  /** The name for people. */
  readonly toolName: string
  readonly methods: readonly DiscoveredMethod[]
}

/** A method of a toolkit in the registry. */
export interface DiscoveredMethod {
  readonly name: string
  /** The name that a call must have. */
  readonly call: string
  readonly description: string
  readonly parameters: Schema
  readonly agentCallable: boolean
  /** Whether the configuration enables it. */
  readonly enabled: boolean
}

/** Selects methods. */
export type MethodFilter = (method: DiscoveredMethod) => boolean

/** Lists the toolkits and the methods that a filter selects. Toolkits without such a method are omitted. */
export function discoverToolkits(
  entries: ReadonlyMap<string, RegistryEntry>,
  toolkits: Iterable<Toolkit>,
  config: ToolCallConfig,
  filter: MethodFilter = ({ agentCallable, enabled }) => agentCallable && enabled,
): readonly DiscoveredToolkit[] {
  const standalone = [...entries.values()].filter(({ toolkit }) => toolkit === undefined)
  const all = [
    ...standalone.map((entry) => asToolkit(entry, config)),
    ...[...toolkits].map((toolkit) => withMethods(toolkit, entries, config)),
  ]
  return all
    .map((toolkit) => ({ ...toolkit, methods: toolkit.methods.filter(filter) }))
    .filter(({ methods }) => methods.length > 0)
}

function withMethods(
  toolkit: Toolkit,
  entries: ReadonlyMap<string, RegistryEntry>,
  config: ToolCallConfig,
): DiscoveredToolkit {
  const methods = toolkit.methods.map((method): DiscoveredMethod => {
    const call = toolNameOf(toolkit, method.name)
    const entry = entries.get(call)
    return {
      name: method.name,
      call,
      description: method.description ?? '',
      parameters: jsonSchemaOf(parametersOf(method)),
      agentCallable: isCallable(method),
      enabled: entry !== undefined && isEntryEnabled(entry, config),
    }
  })
  return { toolId: toolkit.id, toolName: toolkit.name ?? toolkit.id, methods }
}

/** A tool without a toolkit is listed as a toolkit with one method. */
function asToolkit(entry: RegistryEntry, config: ToolCallConfig): DiscoveredToolkit {
  const { name, description, parameters } = entry.tool
  const method = {
    name,
    call: name,
    description,
    parameters: jsonSchemaOf(parameters),
    agentCallable: true,
    enabled: isEntryEnabled(entry, config),
  }
  return { toolId: name, toolName: name, methods: [method] }
}
