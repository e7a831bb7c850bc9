import { nearest } from '@toolglot/permissions/internal'
import { propertiesOf, tryJsonSchemaOf } from '../tool/json-schema.ts'
import type { ToolCallConfig } from './tool-call-config.ts'
import type { Toolkit } from './toolkit.ts'
import type { RegistryEntry } from './view.ts'

/** What a configuration says of tools and arguments that there are not, each with what was probably meant. */
export function findConfigWarnings(
  { toolToggles = {}, presets = {} }: ToolCallConfig,
  entries: Iterable<RegistryEntry>,
  toolkits: ReadonlyMap<string, Toolkit>,
): readonly string[] {
  const all = [...entries]
  const names = all.flatMap(({ tool, aliases }) => [tool.name, ...aliases])
  const switches = [...names, ...toolkits.keys()]
  // Arguments are set for a tool, whichever name it is called by.
  const tools = new Map(all.flatMap(({ tool }) => (tool.aliasOf ? [] : [[tool.name, tool]])))
  return [
    ...missing('toolToggles', Object.keys(toolToggles), switches),
    ...missing('presets', Object.keys(presets), [...tools.keys()]),
    ...Object.entries(presets).flatMap(([name, preset]) => {
      const schema = tools.get(name) && tryJsonSchemaOf(tools.get(name)!.parameters)
      return schema?.['additionalProperties'] === false
        ? missing(`presets.${name}`, Object.keys(preset), Object.keys(propertiesOf(schema)))
        : []
    }),
  ]
}

function missing(where: string, named: readonly string[], known: readonly string[]): string[] {
  return named
    .filter((name) => !known.includes(name))
    .map((name) => {
      const [close] = nearest(name, known)
      const advice = close === undefined ? '' : ` Did you mean ${close}?`
      return `${where} names ${JSON.stringify(name.slice(0, 80))}, which there is not.${advice}`
    })
}
