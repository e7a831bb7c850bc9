import type { Alias } from '../alias/alias.ts'
import { aliases } from '../alias/aliases.ts'
import type { ToolAccess } from './access.ts'
import { canonicalTools } from './canonical-tools.ts'

/** The tool that a name refers to. */
export interface Resolved {
  /** The tool's own name, which rules and decisions use. */
  readonly name: string
  readonly access: ToolAccess
  /** The alias by which the tool was called. */
  readonly alias?: Alias
}

/** Looks up a tool that isn't canonical, by any of its names. */
export type AccessOf = (name: string) => ToolAccess | undefined

/**
 * The tool that a name refers to. All names are resolved here. Names must match exactly. A custom tool cannot replace a
 * canonical tool, but takes precedence over an alias of one.
 */
export function resolve(name: string, accessOf: AccessOf): Resolved | undefined {
  const canonical = canonicalTools.get(name)
  if (canonical) return { name, access: canonical }
  const own = accessOf(name)
  if (own) return own.alias ? aliased(own.alias, accessOf) : { name, access: own }
  if (isServerTool(name)) return { name, access: {} }
  const alias = aliases.get(name)
  if (alias) return aliased(alias, accessOf)
  return name.startsWith(PROVIDER) ? resolve(name.slice(PROVIDER.length), accessOf) : undefined
}

/** Some models write `functions.Bash`. */
const PROVIDER = 'functions.'

function aliased(alias: Alias, accessOf: AccessOf): Resolved {
  const { tool: name } = alias
  return { name, access: canonicalTools.get(name) ?? accessOf(name) ?? {}, alias }
}

/** `mcp__server__tool` */
export function isServerTool(name: string): boolean {
  return /^mcp__[A-Za-z0-9_-]+__[A-Za-z0-9_.-]+$/.test(name)
}

/** Whether this is a valid server name. With `__` in it, the end of the name would be ambiguous in `mcp__server__tool`. */
export function isServerName(name: string): boolean {
  return name.length <= 40 && /^[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*$/.test(name)
}
