import type { AnyTool, Tool } from '@toolglot/agent'
import {
  createRegistry,
  type DescribedInstance,
  type Registry,
  type Toolkit,
  toToolkit,
} from '@toolglot/agent/registry'
import { canonicalTools } from '@toolglot/permissions'
import { aliases } from '@toolglot/permissions/internal'
import { loadCode } from '../code/own-file.ts'
import { settingValues } from '../settings/keys/key.ts'
import { tools as toolsKey } from '../settings/keys/tools.ts'
import type { Settings } from '../settings/merge-settings.ts'
import type { UserDirectories } from '../user-directories.ts'
import { UserError } from '../user-error.ts'
import { quote, visibleLine } from '../visible.ts'

/** Loads the tools in files listed in settings, by name. Loading a file runs its code. */
export async function loadOwnTools(
  settings: Pick<Settings, 'values'>,
  directories: UserDirectories,
): Promise<ReadonlyMap<string, Tool>> {
  const registry = createRegistry()
  for (const { value, source } of settingValues(settings, toolsKey)) {
    for (const path of value) {
      const { file, exported } = await loadCode({ path, source }, directories)
      for (const offered of offersIn(exported, file)) addOffer(registry, offered, file)
    }
  }
  return registry.tools
}

/** The tools, lists of tools and toolkits exported by a file. Other exports are ignored. */
function offersIn(exported: Readonly<Record<string, unknown>>, file: string): unknown[] {
  const values = Object.entries(exported).flatMap(([name, value]) =>
    // The items of a list and the default export must be tools.
    Array.isArray(value) || name === 'default' ? [value].flat() : isOffer(value) ? [value] : [],
  )
  if (values.length > 0) return [...new Set(values)]
  const names = Object.keys(exported)
  throw complain(
    file,
    names.length === 0 ? 'it has no exports' : `it exports no tools, only ${names.join(', ')}`,
  )
}

function addOffer(registry: Registry, offered: unknown, file: string): void {
  const before = new Set(registry.tools.keys())
  try {
    if (isInstance(offered)) registry.addToolkit(toToolkit(offered))
    else if (isToolkit(offered)) registry.addToolkit(offered)
    else registry.add(offered as AnyTool)
  } catch (error) {
    // The export is not a tool, or it has an invalid name or schema or a duplicate name.
    throw complain(file, error instanceof Error ? error.message : String(error))
  }
  const reserved = [...registry.tools.keys()].find((name) => !before.has(name) && isReserved(name))
  if (reserved !== undefined) throw complain(file, `the name ${reserved} is reserved`)
}

/**
 * True if a name resembles a built-in tool's or is reserved for MCP: rules for those must not apply
 * to another tool.
 */
function isReserved(name: string): boolean {
  const lower = name.toLowerCase()
  const names = [...canonicalTools.keys(), ...aliases.keys()]
  return lower.startsWith('mcp__') || names.some((each) => each.toLowerCase() === lower)
}

function isOffer(value: unknown): boolean {
  const { name, execute } = Object(value) as Partial<AnyTool>
  const isTool = typeof name === 'string' && typeof execute === 'function'
  return isTool || isToolkit(value) || isInstance(value)
}

function isToolkit(value: unknown): value is Toolkit {
  const { id, methods } = Object(value) as Partial<Toolkit>
  return typeof id === 'string' && Array.isArray(methods)
}

function isInstance(value: unknown): value is DescribedInstance {
  const { id, getMetadata } = Object(value) as Partial<DescribedInstance>
  return typeof id === 'string' && typeof getMetadata === 'function'
}

function complain(file: string, reason: string): UserError {
  return new UserError(
    'data',
    `Cannot use ${quote(file)}: ${visibleLine(reason.replace(/\.$/, ''))}`,
  )
}
