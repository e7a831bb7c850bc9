import type { ListedTool } from '../tools/listed-tool.ts'

/** A tool of a list, by its name; or the tool that the name is an alias of. */
export function findTool(
  tools: readonly ListedTool[],
  name: string,
): { readonly tool: ListedTool | undefined; readonly isAlias: boolean } {
  const tool = tools.find((each) => each.name === name)
  if (tool) return { tool, isAlias: false }
  const other = tools.find(({ aliases }) => aliases.includes(name))
  return { tool: other, isAlias: other !== undefined }
}
