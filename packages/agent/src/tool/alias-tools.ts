import type { Alias, AliasSettings, OtherTools, ToolAccess } from '@toolglot/permissions'
import { aliases, type OfferedAlias, resolve, type Resolved } from '@toolglot/permissions/internal'
import { checkArguments } from './check-arguments.ts'
import { printResult } from './run-tool.ts'
import type { Tool } from './tool.ts'
import { ToolError } from './tool-error.ts'

/**
 * Returns the aliases of tools as separate tools, to offer to a model or another agent. Calls of an
 * alias are decided on, run and recorded as calls of its tool.
 */
export function aliasTools(
  tools: ReadonlyMap<string, Tool>,
  configured: AliasSettings = {},
): readonly Tool[] {
  return [...aliases].flatMap(([name, alias]) => {
    const original = tools.get(alias.tool)
    return original ? [aliasTool(name, alias, original, configured)] : []
  })
}

function aliasTool(
  name: string,
  offered: OfferedAlias,
  original: Tool,
  configured: AliasSettings,
): Tool {
  const { readOnly, harmless } = original.access
  const { description, ...alias } = configuredAlias(offered, configured)
  return {
    ...original,
    show: (result) => JSON.stringify(result),
    name,
    description,
    parameters: alias.parameters,
    access: { ...(readOnly && { readOnly }), ...(harmless && { harmless }), alias },
    aliasOf: original,
    async execute(args, context) {
      const given = alias.toTool(args, {})
      if (typeof given === 'string') throw new ToolError('invalid_input', given)
      const checked = await checkArguments(original.parameters, given)
      if ('problems' in checked) throw new ToolError('invalid_input', checked.problems.join('; '))
      const result = await original.execute(checked.args, context)
      const { text } = await printResult(original, result, checked.args, context.signal)
      return alias.fromTool(result, text)
    },
  }
}

/** Applies the settings of an alias that are not configured otherwise. */
function configuredAlias(alias: OfferedAlias, configured: AliasSettings): OfferedAlias {
  return {
    ...alias,
    toTool: (args, { testCommand = configured.testCommand }) =>
      alias.toTool(args, testCommand === undefined ? {} : { testCommand }),
  }
}

/** The built-in aliases of a tool. */
export function aliasesOf({ name, aliasOf }: Pick<Tool, 'name' | 'aliasOf'>): readonly string[] {
  if (aliasOf) return []
  return [...aliases].flatMap(([alias, { tool }]) => (tool === name ? [alias] : []))
}

/**
 * The access of an alias. Built-in aliases have their own parameters; all others have the tool's
 * parameters.
 */
export function aliasFor(name: string, tool: string): Alias {
  const alias = aliases.get(name)
  return alias?.tool === tool ? alias : { tool }
}

/** A tool, the access of its calls, and the alias with which it was called. */
export interface FoundTool extends Resolved {
  readonly tool: Tool
}

/**
 * Finds the tool with a name. An alias runs the tool in `tools` with its target's name, or else the
 * tool it was created from. `others` is the access of custom tools.
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
