import type { Ask, Tool } from '@toolglot/agent'
import type { FileSystemView } from '@toolglot/permissions'
import type { Checkpoints, Host } from '@toolglot/tools'
import type { McpTools } from '@toolglot/tools/mcp'
import { userDirectories, serversIn } from '@toolglot/workspace'
import type { McpServer } from '@toolglot/tools/mcp'
import { visibleLine } from '../show/visible.ts'
import type { Terminal } from '../terminal.ts'
import { version } from '../version.ts'
import { warn } from '../warn.ts'
import type { InForce } from './permissions.ts'
import { stateFolder } from './state-folder.ts'

/** What the settings add to the tools. */
export interface Added extends Partial<Pick<InForce, 'settings' | 'trusted'>> {
  /** The MCP servers whose tools are wanted. */
  readonly servers?: Readonly<Record<string, McpServer>>
  /** How long each of them is waited for, in milliseconds. */
  readonly patience?: number
  readonly signal?: AbortSignal
  /** Who answers a model's questions. */
  readonly ask?: Ask
  /** The tools are only looked at, or only read: the state folder need not be there. */
  readonly keepsNothing?: true
}

/** The tools as they work in a folder. */
export async function toolsOf(
  fileSystem: FileSystemView,
  terminal: Terminal,
  added: Added = {},
): Promise<{ host: Host; tools: ReadonlyMap<string, Tool>; checkpoints: Checkpoints }> {
  // Only commands that use them wait for the tools to be loaded.
  const { createCheckpoints, createTools, nodeHost, nodeStorage, searchProviderFrom } =
    await import('@toolglot/tools')
  const { trusted = false, settings, servers = {} } = added
  const host = nodeHost({
    fileSystem,
    storage: added.keepsNothing
      ? { folder: userDirectories(terminal.env).state }
      : nodeStorage(stateFolder(terminal)),
    environment: terminal.env,
    ...(added.ask && { ask: added.ask }),
    language: { trusted, servers: settings ? serversIn(settings) : [] },
  })
  const provider = searchProviderFrom(terminal.env)
  const tools = createTools(host, provider ? { provider } : {})
  const checkpoints = createCheckpoints(host)
  if (Object.keys(servers).length === 0) return { host, tools, checkpoints }
  const foreign = await foreignTools(host, servers, added, terminal)
  const close = async (): Promise<void> => {
    await Promise.all([foreign.close(), host.close()])
  }
  return {
    host: { ...host, close },
    tools: new Map([...tools, ...foreign.tools]),
    checkpoints,
  }
}

async function foreignTools(
  host: Host,
  servers: Readonly<Record<string, McpServer>>,
  { patience = PATIENCE, signal }: Added,
  terminal: Terminal,
): Promise<McpTools> {
  const { mcpTools } = await import('@toolglot/tools/mcp')
  const found = await mcpTools(servers, {
    host,
    environment: terminal.env,
    version: version(),
    startTimeout: patience,
    ...(signal && { signal }),
  })
  for (const { server, reason } of found.problems)
    warn(`the MCP server ${server}: ${visibleLine(reason)}`, terminal)
  return found
}

const PATIENCE = 5000
