import { checkArguments } from '../tool/parameters.ts'
import { shownResult } from '../tool/shown-result.ts'
import type { Tool } from '../tool/tool.ts'
import { ToolError } from '../tool/tool-error.ts'
import type { Alias, Configured } from './alias.ts'
import { aliases } from './aliases.ts'

/**
 * The aliases of some tools as tools that a model can be offered, or another agent can call. `execute` knows them by
 * their names: there a call of one is permitted and run as one of its tool.
 */
export function aliasTools(
  tools: ReadonlyMap<string, Tool>,
  configured: Configured = {},
): readonly Tool[] {
  return [...aliases].flatMap(([name, alias]) => {
    const own = tools.get(alias.tool)
    return own ? [aliasTool(name, alias, own, configured)] : []
  })
}

function aliasTool(name: string, alias: Alias, own: Tool, configured: Configured): Tool {
  const { readOnly, harmless } = own.access
  return {
    ...own,
    show: (result) => JSON.stringify(result),
    name,
    description: alias.description,
    parameters: alias.parameters,
    access: { ...(readOnly && { readOnly }), ...(harmless && { harmless }) },
    async execute(args, context) {
      const given = alias.toTool(args, configured)
      if (typeof given === 'string') throw new ToolError('invalid_input', given)
      const checked = await checkArguments(own.parameters, given)
      if ('problems' in checked) throw new ToolError('invalid_input', checked.problems.join('; '))
      const result = await own.execute(checked.args, context)
      const { text } = await shownResult(own, result, checked.args, context.signal)
      return alias.fromTool(result, text)
    },
  }
}
