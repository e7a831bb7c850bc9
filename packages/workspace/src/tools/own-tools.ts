import { type Tool, tool } from '@toolglot/agent'
import {
  createRegistry,
  type DescribedInstance,
  type Registry,
  type Toolkit,
  toToolkit,
} from '@toolglot/agent/registry'
import { canonicalTools } from '@toolglot/permissions'
import { aliases, isServerTool } from '@toolglot/permissions/internal'
import { importFile } from '../code/import-file.ts'
import { ownFile } from '../code/own-file.ts'
import { settingValues } from '../settings/keys/key.ts'
import { tools as toolsKey } from '../settings/keys/tools.ts'
import type { Settings } from '../settings/merge-settings.ts'
import { UserError } from '../user-error.ts'
import { quote } from '../visible.ts'

/** The tools in the files that settings name, by name. Loading a file runs its code. */
export async function loadOwnTools(
  settings: Pick<Settings, 'values'>,
  home: string,
): Promise<ReadonlyMap<string, Tool>> {
  const registry = createRegistry()
  for (const { value, source } of settingValues(settings, toolsKey)) {
    for (const path of value) {
      const file = ownFile({ path, source }, home)
      addExports(registry, await importFile(file), file)
    }
  }
  return registry.tools
}

/** Adds what a file exports: tools, lists of tools, toolkits. */
function addExports(
  registry: Registry,
  exported: Readonly<Record<string, unknown>>,
  file: string,
): void {
  const values = [...new Set(Object.values(exported))].flat()
  const offered = values.filter((value) => isTool(value) || isToolkit(value) || isInstance(value))
  if (offered.length === 0) {
    const names = Object.keys(exported)
    throw complain(
      file,
      `a tool that ${quote(file)} exports`,
      names.length === 0 ? 'no export at all' : `only ${names.map(quote).join(', ')}`,
    )
  }
  for (const value of offered) {
    const before = new Set(registry.tools.keys())
    try {
      if (isTool(value)) registry.add(tool(value))
      else registry.addToolkit(isInstance(value) ? toToolkit(value) : value)
    } catch (error) {
      // An invalid name or schema, or a name that another one has.
      const reason = error instanceof Error ? error.message : String(error)
      throw complain(file, 'a valid tool', quote(reason.replace(/\.$/, '')))
    }
    const taken = [...registry.tools.keys()].find((name) => !before.has(name) && isTaken(name))
    if (taken !== undefined)
      throw complain(file, 'a tool with a name of its own', `${quote(taken)}, which is taken`)
  }
}

/** Whether a name means one of the tools that are there anyway: rules for those must not reach another. */
function isTaken(name: string): boolean {
  return canonicalTools.has(name) || aliases.has(name) || isServerTool(name)
}

type ToolDefinition = Parameters<typeof tool>[0]

function isTool(value: unknown): value is ToolDefinition {
  const { name, description, parameters, execute } = Object(value) as Partial<ToolDefinition>
  return (
    typeof name === 'string' &&
    typeof description === 'string' &&
    typeof parameters === 'object' &&
    typeof execute === 'function'
  )
}

function isToolkit(value: unknown): value is Toolkit {
  const { id, methods } = Object(value) as Partial<Toolkit>
  return typeof id === 'string' && Array.isArray(methods)
}

function isInstance(value: unknown): value is DescribedInstance {
  const { id, getMetadata } = Object(value) as Partial<DescribedInstance>
  return typeof id === 'string' && typeof getMetadata === 'function'
}

function complain(file: string, expected: string, got: string): UserError {
  return new UserError('data', { expected, got, advice: `correct ${quote(file)}` })
}
