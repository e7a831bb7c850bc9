import type { AnyTool } from '@toolglot/agent'
import { createRegistry, type Registry } from '@toolglot/agent/registry'
import { agentTool, keepResult } from '../run-call.ts'
import type { IToolManager, ListedTool, ManagedCallOptions } from '../tool-manager.ts'
import type { PTKArguments, PTKExecuteOptions, PTKTool } from './types.ts'

/** The tools of an execution, and how they are run. Throws a TypeError if a name is unknown, or turned off. */
export function selectTools(
  given: PTKExecuteOptions['tools'],
  manager: IToolManager | undefined,
): ManagedCallOptions {
  const listed = manager?.getTools?.()
  const selected = given ?? listed?.map(({ name }) => name) ?? []
  const isOwn = (tool: PTKTool | AnyTool | string): tool is PTKTool | AnyTool =>
    typeof tool !== 'string' && !listed?.some((each) => each === (tool as ListedTool))
  const own = selected.filter(isOwn).map(agentTool)
  const names = selected.map((tool) => (typeof tool === 'string' ? tool : tool.name))
  // A tool that is given takes the place of one with its name.
  const others = [...new Set(names)].filter((name) => !own.some((tool) => tool.name === name))
  if (!manager && others.length > 0)
    throw new TypeError(
      `Expected a tool manager that has ${others[0]}, got none. Pass one, or the tool itself.`,
    )
  const managed = manager?.callOptions?.(own)
  const all = managed?.registry ?? passingOn(listed ?? others.map(unlisted), manager)
  const registry = all.with({ tools: others }).with({ tools: names }, own)
  const enabled = [...registry.tools.values()]
  const off = names.find(
    (name) => !registry.find(name) && !enabled.some(({ toolkit }) => toolkit === name),
  )
  if (given && off !== undefined) throw new TypeError(`The tool ${off} is turned off.`)
  return { ...managed, registry }
}

/** Tools that a manager runs itself. */
function passingOn(listed: readonly ListedTool[], manager: IToolManager | undefined): Registry {
  const tools = listed.map((tool): AnyTool => ({
    ...tool,
    execute: (args: PTKArguments, { signal }) => manager!.execute(tool.name, args, signal),
  }))
  const registry = createRegistry(tools, { mode: 'auto' })
  registry.use(keepResult)
  return registry
}

/** If the manager cannot list its tools, it alone knows them. */
function unlisted(name: string): ListedTool {
  return { name, description: '', parameters: { type: 'object' } }
}
