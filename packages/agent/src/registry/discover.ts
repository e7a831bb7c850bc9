import { jsonSchemaOf } from '../tool/json-schema.ts'
import type { DiscoveredMethod, DiscoveredToolkit, MethodFilter } from './discovered.ts'
import type { ToolCallConfig } from './tool-call-config.ts'
import { toolNameOf, isCallable, parametersOf, type Toolkit } from './toolkit.ts'
import { type RegistryEntry, isEntryEnabled } from './view.ts'

/** The toolkits with those of their methods that a filter wants; those that are left without any are left out. */
export function discoverToolkits(
  entries: ReadonlyMap<string, RegistryEntry>,
  toolkits: Iterable<Toolkit>,
  config: ToolCallConfig,
  filter: MethodFilter = ({ agentCallable, enabled }) => agentCallable && enabled,
): readonly DiscoveredToolkit[] {
  const alone = [...entries.values()].filter(({ toolkit }) => toolkit === undefined)
  const all = [
    ...alone.map((entry) => asToolkit(entry, config)),
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

/** A tool that belongs to no toolkit is one with a single method. */
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
