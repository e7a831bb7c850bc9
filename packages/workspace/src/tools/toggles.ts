import type { Tool } from '@toolglot/agent'
import { canonicalTools, type RuleSource } from '@toolglot/permissions'
import { aliases, isServerTool, nearest } from '@toolglot/permissions/internal'
import { defaultToolEnabled, ALL_TOOLS, toolToggles } from '../settings/keys/tools.ts'
import { settingValues } from '../settings/keys/key.ts'
import type { Settings } from '../settings/merge-settings.ts'
import { printProblem } from '../settings/settings-file.ts'
import { quote } from '../visible.ts'

/** A tool disabled by settings. */
export interface DisabledTool {
  readonly tool: Tool
  /** The setting that disables it. */
  readonly key: 'toolToggles' | 'defaultToolEnabled'
  /** The name in `toolToggles`: the tool, an alias, its toolkit or its MCP server. */
  readonly name?: string
  readonly source: RuleSource
  /** The reason for people: `Bash is turned off by toolToggles in settings.json:3`. */
  readonly reason: string
}

/** The enabled tools. */
export interface ToggledTools {
  readonly tools: ReadonlyMap<string, Tool>
  readonly disabled: ReadonlyMap<string, DisabledTool>
  /** Warnings about unknown names in `toolToggles`. */
  readonly warnings: readonly string[]
}

/**
 * Removes the tools that settings disable. Each file is evaluated separately: a toggle for a tool
 * or an alias takes precedence over one for its toolkit. Across files, off takes precedence over
 * on, and on over `defaultToolEnabled: false`.
 */
export function toggleTools(
  all: ReadonlyMap<string, Tool>,
  settings: Pick<Settings, 'values'>,
): ToggledTools {
  const files = settingValues(settings, toolToggles).map(({ value, source }) => ({
    source,
    toggles: byTool(value),
  }))
  const ownDefault = settingValues(settings, defaultToolEnabled).find(({ value }) => !value)
  const disabled = new Map<string, DisabledTool>()
  for (const tool of all.values()) {
    const said = files.flatMap(({ toggles, source }) => {
      const found = nameOrKit(tool).flatMap((name) => toggles.get(name) ?? [])[0]
      return found ? [{ ...found, source }] : []
    })
    const off = said.find(({ isOn }) => !isOn)
    const by = off
      ? ({ key: 'toolToggles', name: off.name, source: off.source } as const)
      : said.length === 0 && ownDefault
        ? ({ key: 'defaultToolEnabled', source: ownDefault.source } as const)
        : undefined
    if (by) disabled.set(tool.name, { tool, ...by, reason: reasonOf(tool, by) })
  }
  return {
    tools: disabled.size === 0 ? all : new Map([...all].filter(([name]) => !disabled.has(name))),
    disabled,
    warnings: files.flatMap(({ toggles, source }) => unknownNames(toggles, source, all)),
  }
}

interface Toggle {
  /** The name in its original form. */
  readonly name: string
  readonly isOn: boolean
}

/** Toggles by the name of a tool or toolkit. An alias counts as its tool. Off takes precedence. */
function byTool(toggles: Readonly<Record<string, boolean>>): ReadonlyMap<string, Toggle> {
  const found = new Map<string, Toggle>()
  for (const [name, isOn] of Object.entries(toggles)) {
    const meant = aliases.get(name)?.tool ?? name.replace(/__\*$/, '')
    if (found.get(meant)?.isOn !== false) found.set(meant, { name, isOn })
  }
  return found
}

/** The keys that apply to a tool: its own name, then its toolkit, then the key for all tools. */
function nameOrKit({ name, server, toolkit }: Tool): readonly string[] {
  const kit = server === undefined ? (toolkit ?? SHELL_TOOLS.get(name)) : serverKit(server)
  return kit === undefined ? [name, ALL_TOOLS] : [name, kit, ALL_TOOLS]
}

/**
 * Tools that only work with processes started by another tool. They are disabled together with it.
 */
const SHELL_TOOLS: ReadonlyMap<string, string> = new Map(
  ['BashInput', 'BashOutput', 'KillShell'].map((name) => [name, 'Bash']),
)

function serverKit(server: string): string {
  return `mcp__${server}`
}

function reasonOf({ name }: Tool, by: Pick<DisabledTool, 'key' | 'source'>): string {
  const { scope, file, line } = by.source
  const place = file === undefined ? `(${scope})` : `${file}${line === undefined ? '' : `:${line}`}`
  return `${name} is turned off by ${by.key} in ${place}`
}

function unknownNames(
  toggles: ReadonlyMap<string, Toggle>,
  { scope, file, line }: RuleSource,
  all: ReadonlyMap<string, Tool>,
): string[] {
  const known = new Set([...all.values()].flatMap(nameOrKit))
  // A server that is not available may be down, or exist only in another folder.
  const unknown = [...toggles].filter(
    ([meant]) =>
      !known.has(meant) && !canonicalTools.has(meant) && !isOfMissingServer(meant, known),
  )
  return unknown.slice(0, MAX_WARNINGS).map(([, { name }]) => {
    const [close] = nearest(name, [...known, ...aliases.keys()])
    const advice = close === undefined ? '' : `. Did you mean ${close}?`
    const reason = `toolToggles: unknown tool ${quote(name)}${advice}`
    return printProblem({ file: file ?? `(${scope})`, line, reason })
  })
}

/**
 * The maximum number of warnings about misspelled names per file, because an untrusted file may
 * contain thousands.
 */
const MAX_WARNINGS = 5

function isOfMissingServer(name: string, known: ReadonlySet<string>): boolean {
  const [, server = ''] = /^mcp__(.+?)(?:__|$)/.exec(name) ?? []
  return (isServerTool(name) || name === serverKit(server)) && !known.has(serverKit(server))
}
