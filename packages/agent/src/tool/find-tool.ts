import { aliasFor } from './alias-tools.ts'
import type { OtherTools, ToolAccess } from '@toolglot/permissions'
import { resolve, type Resolved } from '@toolglot/permissions/internal'
import type { Tool } from './tool.ts'

/** A tool, what its calls give access to, and the alias that it was called by. */
export interface FoundTool extends Resolved {
  readonly tool: Tool
}

/**
 * Finds the tool for a name. An alias runs the tool in `tools` that it names, otherwise the one that it was made from.
 * `others` overrides the access of tools.
 */
export function findTool(
  name: string,
  tools: ReadonlyMap<string, Tool>,
  others?: OtherTools,
): FoundTool | undefined {
  let original: Tool | undefined
  const resolved = resolve(name, (each) => {
    const tool = tools.get(each) ?? (original?.name === each ? original : undefined)
    original ??= tool?.aliasOf ?? tool
    return accessBy(each, tool, others?.get(each))
  })
  const tool = resolved && (tools.get(resolved.name) ?? original)
  return tool && { ...resolved, tool }
}

/** The access of a tool under one of its names. */
function accessBy(
  name: string,
  tool: Tool | undefined,
  other: ToolAccess | undefined,
): ToolAccess | undefined {
  if (!tool) return other
  if (tool.access.alias) return tool.access
  if (tool.name !== name) return { alias: aliasFor(name, tool.name) }
  return other && !other.alias ? other : tool.access
}
