import { judgeFile, type McpServer, type Permissions, type Tool, type World } from '@toolglot/agent'
import { machineOf } from '@toolglot/agent/node'
import type { Checkpoints, Host } from '@toolglot/tools'
import type { McpTools } from '@toolglot/tools/mcp'
import { visibleLine } from '../show/visible.ts'
import type { Terminal } from '../terminal.ts'
import { version } from '../version.ts'
import { warn } from '../warn.ts'

/** The servers whose tools are wanted, and how long each is waited for, in milliseconds. */
export interface WantedServers {
  readonly servers: Readonly<Record<string, McpServer>>
  readonly patience: number
  readonly signal?: AbortSignal
}

/** The tools as they work in a folder: what may not be read is left out of what they find. */
export async function toolsOf(
  permissions: Permissions,
  world: World,
  terminal: Terminal,
  wanted: WantedServers = { servers: {}, patience: 0 },
): Promise<{ host: Host; tools: ReadonlyMap<string, Tool>; checkpoints: Checkpoints }> {
  // Only commands that use them wait for the tools to be loaded.
  const { createCheckpoints, createTools, nodeHost, nodeStorage, searchProviderFrom } =
    await import('@toolglot/tools')
  const storage = nodeStorage(machineOf(terminal.env).state)
  const host = nodeHost({ world, storage, environment: terminal.env })
  const judge = judgeFile(permissions.rules, world)
  const allowed = (path: string): boolean =>
    judge({ kind: 'read', path, cwd: world.cwd, because: 'search' }).verdict !== 'deny'
  const provider = searchProviderFrom(terminal.env)
  const options = { allowed, rules: () => permissions.rules, ...(provider && { provider }) }
  const tools = createTools(host, options)
  const checkpoints = createCheckpoints(host)
  if (Object.keys(wanted.servers).length === 0) return { host, tools, checkpoints }
  const foreign = await foreignTools(host, wanted, terminal)
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
  { servers, ...limits }: WantedServers,
  terminal: Terminal,
): Promise<McpTools> {
  const { mcpTools } = await import('@toolglot/tools/mcp')
  const { env: environment } = terminal
  const found = await mcpTools(servers, { host, environment, version: version(), ...limits })
  for (const { server, reason } of found.problems)
    warn(`the MCP server ${server}: ${visibleLine(reason)}`, terminal)
  return found
}
