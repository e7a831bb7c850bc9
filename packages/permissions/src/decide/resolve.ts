import type { Alias } from '../alias/alias.ts'
import { aliases } from '../alias/aliases.ts'
import type { ToolAccess } from './access.ts'
import { canonicalTools } from './canonical-tools.ts'

/** What a name stands for. */
export interface Resolved {
  /** The tool's own name, which rules and decisions are about. */
  readonly name: string
  readonly access: ToolAccess
  /** The tool was called by another name. */
  readonly alias?: Alias
}

/** What the tools reach that are not canonical, by every name they have. */
export type AccessOf = (name: string) => ToolAccess | undefined

/**
 * The tool that a name stands for: the one place where names become tools. Names are exact: what looks like one is another.
 * What a canonical name means is not for a tool to say; a tool of one's own comes before the alias of a canonical one.
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

/** Whether a server may be called so. With `__` in it, nobody could say where its name ends and a tool's begins. */
export function isServerName(name: string): boolean {
  return name.length <= 40 && /^[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*$/.test(name)
}
