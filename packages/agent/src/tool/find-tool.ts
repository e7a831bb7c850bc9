import { aliasFor } from './alias-tools.ts'
import type { ToolAccess, OtherTools } from '@toolglot/permissions'
import { resolve, type Resolved } from '@toolglot/permissions/internal'
import type { Tool } from './tool.ts'

/** A tool, what its calls reach, and the alias that it was called by. */
export interface FoundTool extends Resolved {
  readonly tool: Tool
}

/**
 * The tool that a name stands for among some. An alias runs the tool of its name that is there, else the one that it was made
 * from. `others` may say more of what tools reach than they do.
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

/** What a tool reaches that stands under a name, which may be one of several that it has. */
function accessBy(
  name: string,
  tool: Tool | undefined,
  said: ToolAccess | undefined,
): ToolAccess | undefined {
  if (!tool) return said
  if (tool.access.alias) return tool.access
  if (tool.name !== name) return { alias: aliasFor(name, tool.name) }
  return said && !said.alias ? said : tool.access
}
