import type { Tool as ToolDefinition } from '@toolglot/core'
import { aliases as canonicalAliases } from '../alias/aliases.ts'
import type { OtherTools } from '../permission/call.ts'
import { canonicalTools } from '../permission/canonical.ts'
import { jsonSchemaOf } from '../tool/schema-of.ts'
import type { Tool } from '../tool/tool.ts'
import { isEnabled, type Meaning, meaningOf } from './meaning.ts'
import type { ToolCallConfig } from './tool-call-config.ts'

/** A tool of a registry. */
export interface Entry {
  readonly tool: Tool
  readonly aliases: readonly string[]
  /** The id of the toolkit that it belongs to. */
  readonly toolkit?: string
}

/** What a registry is, seen from outside, until it is changed. */
export interface View {
  readonly tools: ReadonlyMap<string, Tool>
  readonly callable: ReadonlyMap<string, Tool>
  readonly access: OtherTools
  readonly meaning: Meaning
  readonly presets: ReadonlyMap<string, Readonly<Record<string, unknown>>>
  readonly definitions: readonly ToolDefinition[]
  readonly known: readonly ToolDefinition[]
}

export function viewOf(entries: Iterable<Entry>, config: ToolCallConfig): View {
  const enabled = [...entries].filter((entry) => isOn(entry, config))
  const defined = enabled.map((entry) => ({ ...entry, definition: definitionOf(entry, config) }))
  const names = enabled.map(({ tool }) => tool.name)
  return {
    tools: new Map(enabled.map(({ tool }) => [tool.name, tool])),
    callable: new Map(
      enabled.flatMap(({ tool, aliases }) =>
        [tool.name, ...aliases].map((name): [string, Tool] => [name, tool]),
      ),
    ),
    // What a canonical name means is not for a tool to say.
    access: new Map(
      enabled
        .filter(({ tool }) => !canonicalTools.has(tool.name))
        .map(({ tool }) => [tool.name, tool.access]),
    ),
    meaning: meaningOf(config, names),
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

export function isOn({ tool, aliases, toolkit }: Entry, config: ToolCallConfig): boolean {
  return isEnabled(config, [tool.name, ...aliases], toolkit)
}

/** The aliases of canonical tools have arguments of their own. */
function aliasOf({ parameters, ...definition }: ToolDefinition, name: string): ToolDefinition {
  const own = !canonicalAliases.has(name)
  return { ...definition, name, ...(own && parameters && { parameters }) }
}

/** What was set beforehand need not be written, and is nothing that a model must be told. */
function definitionOf({ tool }: Entry, { presets = {} }: ToolCallConfig): ToolDefinition {
  const { name, description } = tool
  const parameters = jsonSchemaOf(tool.parameters)
  const required = parameters['required']
  if (!Object.hasOwn(presets, name) || !Array.isArray(required))
    return { name, description, parameters }
  const left = required.filter((key: string) => !Object.hasOwn(presets[name]!, key))
  return { name, description, parameters: { ...parameters, required: left } }
}
