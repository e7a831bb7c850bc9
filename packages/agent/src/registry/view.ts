import type { ToolDefinition } from '@toolglot/core'
import { canonicalTools, type OtherTools, type ToolAccess } from '@toolglot/permissions'
import { unknownName } from '@toolglot/permissions/errors/internal'
import { aliases as offeredAliases, nearest } from '@toolglot/permissions/internal'
import { aliasesOf, aliasFor, aliasTools } from '../tool/alias-tools.ts'
import { jsonSchemaOf, propertiesOf, tryJsonSchemaOf } from '../tool/json-schema.ts'
import type { Tool } from '../tool/tool.ts'
import {
  isEnabled,
  type ResolvedConfig,
  resolveConfig,
  type ToolCallConfig,
} from './tool-call-config.ts'
import type { RegistryEntry } from './tool-store.ts'
import type { Toolkit } from './toolkit.ts'

/** A snapshot of a registry, valid until the registry changes. */
export interface RegistryView {
  readonly tools: ReadonlyMap<string, Tool>
  readonly callable: ReadonlyMap<string, Tool>
  readonly access: OtherTools
  readonly resolved: ResolvedConfig
  readonly presets: ReadonlyMap<string, Readonly<Record<string, unknown>>>
  readonly definitions: readonly ToolDefinition[]
  readonly known: readonly ToolDefinition[]
}

/** Creates a snapshot of a registry. */
export function createView(entries: Iterable<RegistryEntry>, config: ToolCallConfig): RegistryView {
  const enabled = [...entries].filter((entry) => isEntryEnabled(entry, config))
  const tools = new Map(enabled.map(({ tool }) => [tool.name, tool]))
  // An alias that is also a separate tool in the registry does not count as an alias.
  const defined = enabled.map(({ aliases, ...entry }) => ({
    ...entry,
    aliases: aliases.filter((name) => !tools.has(name)),
    definition: definitionOf(entry, config),
  }))
  return {
    tools,
    callable: new Map(
      defined.flatMap(({ tool, aliases }) =>
        [tool.name, ...aliases].map((name): [string, Tool] => [name, tool]),
      ),
    ),
    // A tool cannot change the access of a canonical name.
    access: new Map(
      defined.flatMap(({ tool, aliases }) => [
        ...(canonicalTools.has(tool.name) ? [] : [accessOf(tool.name, tool.access)]),
        ...aliases.map((name) => accessOf(name, { alias: aliasFor(name, tool.name) })),
      ]),
    ),
    resolved: resolveConfig(
      config,
      new Set(enabled.map(({ tool }) => (tool.aliasOf ?? tool).name)),
    ),
    presets: new Map(Object.entries(config.presets ?? {})),
    definitions: Object.freeze(defined.map(({ definition }) => definition)),
    known: Object.freeze(
      defined.flatMap(({ aliases, definition }) => [
        definition,
        ...aliases.map((name) => aliasOf(definition, name)),
      ]),
    ),
  }
}

function accessOf(name: string, access: ToolAccess): [string, ToolAccess] {
  return [name, access]
}

/**
 * A tool and its aliases are enabled or disabled together, regardless of which name the toggle
 * uses.
 */
function isEntryEnabled(
  { tool, aliases, toolkit }: RegistryEntry,
  config: ToolCallConfig,
): boolean {
  const { aliasOf: original = tool } = tool
  const names = new Set([tool.name, original.name, ...aliasesOf(original), ...aliases])
  return isEnabled(config, [...names], toolkit)
}

/** Aliases of canonical tools have their own parameters. */
function aliasOf(definition: ToolDefinition, name: string): ToolDefinition {
  const { description, parameters } = offeredAliases.get(name) ?? definition
  return { name, ...(description && { description }), ...(parameters && { parameters }) }
}

/** A model need not provide preset arguments. */
function definitionOf(
  { tool }: Pick<RegistryEntry, 'tool'>,
  { presets = {} }: ToolCallConfig,
): ToolDefinition {
  const { name, description } = tool
  const parameters = jsonSchemaOf(tool.parameters)
  const required = parameters['required']
  if (!Object.hasOwn(presets, name) || !Array.isArray(required))
    return { name, description, parameters }
  const stillRequired = required.filter((key: string) => !Object.hasOwn(presets[name]!, key))
  return { name, description, parameters: { ...parameters, required: stillRequired } }
}

/**
 * The entries for these names, in the same order. Each name is that of a tool, an alias, or the id
 * of a toolkit. A built-in alias becomes a separate tool that replaces the original. Unknown names
 * are skipped.
 */
export function selectEntries(
  names: readonly string[],
  entries: readonly RegistryEntry[],
): readonly RegistryEntry[] {
  const selected = new Map<string, RegistryEntry>()
  for (const name of names)
    for (const entry of entriesNamed(name, entries)) selected.set(entry.tool.name, entry)
  return [...selected.values()]
}

function entriesNamed(name: string, entries: readonly RegistryEntry[]): readonly RegistryEntry[] {
  const entry = entries.find(({ tool }) => tool.name === name)
  if (entry) return [entry]
  const aliased = entries.find(({ aliases }) => aliases.includes(name))
  if (!aliased) return entries.filter(({ toolkit }) => toolkit === name)
  const { tool } = aliased
  if (offeredAliases.get(name)?.tool !== tool.name) return [aliased]
  return aliasTools(new Map([[tool.name, tool]]))
    .filter((alias) => alias.name === name)
    .map((alias) => ({ ...aliased, tool: alias, aliases: [] }))
}

/** Throws if a name is unknown, so that no tool is missing unnoticed. */
export function checkNames(names: readonly string[], entries: readonly RegistryEntry[]): void {
  const unknown = names.find((name) => entriesNamed(name, entries).length === 0)
  if (unknown === undefined) return
  const known = entries.map(({ tool }) => tool.name)
  const others = entries.flatMap(({ aliases, toolkit }) =>
    toolkit === undefined ? aliases : [...aliases, toolkit],
  )
  throw new TypeError(unknownName('tool', unknown, known, others))
}

/** Warns about tools and arguments in a configuration that do not exist or are disabled. */
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

/** Warnings about selected tools that are disabled. */
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
