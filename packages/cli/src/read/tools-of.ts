import type { Permissions, Tool, World } from '@toolglot/agent'
import { machineOf } from '@toolglot/agent/node'
import type { Checkpoints, Host } from '@toolglot/tools'
import type { Terminal } from '../terminal.ts'

/** The tools as they work in a folder: what may not be read is left out of what they find. */
export async function toolsOf(
  permissions: Permissions,
  world: World,
  terminal: Terminal,
): Promise<{ host: Host; tools: ReadonlyMap<string, Tool>; checkpoints: Checkpoints }> {
  // Only commands that use them wait for the tools to be loaded.
  const { createCheckpoints, nodeHost, nodeStorage, permittedTools, searchProviderFrom } =
    await import('@toolglot/tools')
  const storage = nodeStorage(machineOf(terminal.env).state)
  const host = nodeHost({ world, storage, environment: terminal.env })
  const provider = searchProviderFrom(terminal.env)
  const tools = permittedTools(host, permissions, provider ? { provider } : {})
  return { host, tools, checkpoints: createCheckpoints(host) }
}
