import { checkArguments } from './check-arguments.ts'
import { printResult } from './print-result.ts'
import type { Tool } from './tool.ts'
import { ToolError } from './tool-error.ts'
import type { Alias, AliasSettings } from '@toolglot/permissions'
import { aliases, type OfferedAlias } from '@toolglot/permissions/internal'

/**
 * The aliases of some tools as tools that a model can be offered, or another agent can call. Each knows the tool that it is
 * another name of: a call of it is decided on, run and recorded as one of that tool.
 */
export function aliasTools(
  tools: ReadonlyMap<string, Tool>,
  configured: AliasSettings = {},
): readonly Tool[] {
  return [...aliases].flatMap(([name, alias]) => {
    const own = tools.get(alias.tool)
    return own ? [aliasTool(name, alias, own, configured)] : []
  })
}

function aliasTool(
  name: string,
  offered: OfferedAlias,
  own: Tool,
  configured: AliasSettings,
): Tool {
  const { readOnly, harmless } = own.access
  const { description, ...alias } = configuredAlias(offered, configured)
  return {
    ...own,
    show: (result) => JSON.stringify(result),
    name,
    description,
    parameters: alias.parameters,
    access: { ...(readOnly && { readOnly }), ...(harmless && { harmless }), alias },
    aliasOf: own,
    async execute(args, context) {
      const given = alias.toTool(args, {})
      if (typeof given === 'string') throw new ToolError('invalid_input', given)
      const checked = await checkArguments(own.parameters, given)
      if ('problems' in checked) throw new ToolError('invalid_input', checked.problems.join('; '))
      const result = await own.execute(checked.args, context)
      const { text } = await printResult(own, result, checked.args, context.signal)
      return alias.fromTool(result, text)
    },
  }
}

/** An alias that was made with settings keeps them where a decision brings none. */
function configuredAlias(alias: OfferedAlias, configured: AliasSettings): OfferedAlias {
  return {
    ...alias,
    toTool: (args, { testCommand = configured.testCommand }) =>
      alias.toTool(args, testCommand === undefined ? {} : { testCommand }),
  }
}

/** The other names that a tool has anyway, for what it is called. */
export function aliasesOf({ name, aliasOf }: Pick<Tool, 'name' | 'aliasOf'>): readonly string[] {
  if (aliasOf) return []
  return [...aliases].flatMap(([alias, { tool }]) => (tool === name ? [alias] : []))
}

/** How a tool is called by another name that stands for it: in that name's words, if it has any. */
export function aliasFor(name: string, tool: string): Alias {
  const alias = aliases.get(name)
  return alias?.tool === tool ? alias : { tool }
}
