import type { ToolDefinition } from '@toolglot/core'
import { aliasesOf, aliasFor } from '../tool/alias-tools.ts'
import { canonicalTools, type OtherTools, type ToolAccess } from '@toolglot/permissions'
import { aliases as offeredAliases } from '@toolglot/permissions/internal'
import { jsonSchemaOf } from '../tool/json-schema.ts'
import type { Tool } from '../tool/tool.ts'
import {
  isEnabled,
  type ResolvedConfig,
  resolveConfig,
  type ToolCallConfig,
} from './tool-call-config.ts'
import type { RegistryEntry } from './tool-store.ts'

/** A snapshot of a registry, valid until it changes. */
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
  // An alias that is also a tool in the registry is not an alias of its tool.
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
    // A tool cannot redefine the access of a canonical name.
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

/** A tool and its aliases are enabled or disabled together, by any of their names. */
export function isEntryEnabled(
  { tool, aliases, toolkit }: RegistryEntry,
  config: ToolCallConfig,
): boolean {
  const { aliasOf: original = tool } = tool
  const names = new Set([tool.name, original.name, ...aliasesOf(original), ...aliases])
  return isEnabled(config, [...names], toolkit)
}

/** The aliases of canonical tools have their own parameters. */
function aliasOf(definition: ToolDefinition, name: string): ToolDefinition {
  const { description, parameters } = offeredAliases.get(name) ?? definition
  return { name, ...(description && { description }), ...(parameters && { parameters }) }
}

/** Preset arguments are not required from the model. */
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
