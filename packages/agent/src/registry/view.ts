import type { ToolDefinition } from '@toolglot/core'
import { aliasesOf, aliasFor } from '../tool/alias-tools.ts'
import { type ToolAccess, canonicalTools, type OtherTools } from '@toolglot/permissions'
import { aliases as offeredAliases } from '@toolglot/permissions/internal'
import { jsonSchemaOf } from '../tool/json-schema.ts'
import type { Tool } from '../tool/tool.ts'
import { isEnabled, type ResolvedConfig, resolveConfig } from './resolved-config.ts'
import type { ToolCallConfig } from './tool-call-config.ts'

/** A tool of a registry. */
export interface RegistryEntry {
  readonly tool: Tool
  readonly aliases: readonly string[]
  /** The id of the toolkit that it belongs to. */
  readonly toolkit?: string
}

/** What a registry is, seen from outside, until it is changed. */
export interface RegistryView {
  readonly tools: ReadonlyMap<string, Tool>
  readonly callable: ReadonlyMap<string, Tool>
  readonly access: OtherTools
  readonly resolved: ResolvedConfig
  readonly presets: ReadonlyMap<string, Readonly<Record<string, unknown>>>
  readonly definitions: readonly ToolDefinition[]
  readonly known: readonly ToolDefinition[]
}

export function createView(entries: Iterable<RegistryEntry>, config: ToolCallConfig): RegistryView {
  const enabled = [...entries].filter((entry) => isEntryEnabled(entry, config))
  const tools = new Map(enabled.map(({ tool }) => [tool.name, tool]))
  // An alias that is offered by itself is one of its tool's no more.
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
    // What a canonical name means is not for a tool to say.
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

/** A tool and its aliases are on or off together, whichever of their names says so. */
export function isEntryEnabled({ tool, aliases, toolkit }: RegistryEntry, config: ToolCallConfig): boolean {
  const { aliasOf: original = tool } = tool
  const names = new Set([tool.name, original.name, ...aliasesOf(original), ...aliases])
  return isEnabled(config, [...names], toolkit)
}

/** The aliases of canonical tools have arguments of their own. */
function aliasOf(definition: ToolDefinition, name: string): ToolDefinition {
  const { description, parameters } = offeredAliases.get(name) ?? definition
  return { name, ...(description && { description }), ...(parameters && { parameters }) }
}

/** What was set beforehand need not be written, and is nothing that a model must be told. */
function definitionOf(
  { tool }: Pick<RegistryEntry, 'tool'>,
  { presets = {} }: ToolCallConfig,
): ToolDefinition {
  const { name, description } = tool
  const parameters = jsonSchemaOf(tool.parameters)
  const required = parameters['required']
  if (!Object.hasOwn(presets, name) || !Array.isArray(required))
    return { name, description, parameters }
  const left = required.filter((key: string) => !Object.hasOwn(presets[name]!, key))
  return { name, description, parameters: { ...parameters, required: left } }
}
