import { nearest } from '@toolglot/permissions/internal'
import { propertiesOf, tryJsonSchemaOf } from '../tool/json-schema.ts'
import type { ToolCallConfig } from './tool-call-config.ts'
import type { Toolkit } from './toolkit.ts'
import { selectEntries } from './select-entries.ts'
import type { RegistryEntry } from './tool-store.ts'
import { isEntryEnabled } from './view.ts'

/** Warns about names of tools and arguments in a configuration that do not exist or are disabled. */
export function findConfigWarnings(
  config: ToolCallConfig,
  all: readonly RegistryEntry[],
  toolkits: ReadonlyMap<string, Toolkit>,
): readonly string[] {
  const { toolToggles = {}, presets = {}, tools: selected = [] } = config
  const names = all.flatMap(({ tool, aliases }) => [tool.name, ...aliases])
  const toggleable = [...names, ...toolkits.keys()]
  // Arguments are preset for a tool, not for its aliases.
  const tools = new Map(all.flatMap(({ tool }) => (tool.aliasOf ? [] : [[tool.name, tool]])))
  return [
    ...unknownNames('tools', selected, toggleable),
    ...disabledNames(config, all),
    ...unknownNames('toolToggles', Object.keys(toolToggles), toggleable),
    ...unknownNames('presets', Object.keys(presets), [...tools.keys()]),
    ...Object.entries(presets).flatMap(([name, preset]) => {
      const schema = tools.get(name) && tryJsonSchemaOf(tools.get(name)!.parameters)
      return schema?.['additionalProperties'] === false
        ? unknownNames(`presets.${name}`, Object.keys(preset), Object.keys(propertiesOf(schema)))
        : []
    }),
  ]
}

/** The selected tools that are not offered all the same. */
function disabledNames(config: ToolCallConfig, all: readonly RegistryEntry[]): string[] {
  const { tools = [], enabled } = config
  if (enabled === false) return []
  return tools
    .filter((name) => {
      const found = selectEntries([name], all)
      return found.length > 0 && !found.some((entry) => isEntryEnabled(entry, config))
    })
    .map((name) => `tools contains ${name}, which toolToggles disables.`)
}

function unknownNames(where: string, named: readonly string[], known: readonly string[]): string[] {
  return named
    .filter((name) => !known.includes(name))
    .map((name) => {
      const [close] = nearest(name, known)
      const advice = close === undefined ? '' : ` Did you mean ${close}?`
      return `${where} contains ${JSON.stringify(name.slice(0, 80))}, which does not exist.${advice}`
    })
}
