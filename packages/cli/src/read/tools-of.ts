import type { Permissions, Tool, World } from '@toolglot/agent'
import { machineOf } from '@toolglot/agent/node'
import type { Checkpoints, Host } from '@toolglot/tools'
import type { Terminal } from '../terminal.ts'
import type { InForce } from './permissions.ts'

/** The tools as they work in a folder: what may not be read is left out of what they find. */
export async function toolsOf(
  permissions: Permissions,
  world: World,
  terminal: Terminal,
  { trusted = false, settings }: Partial<Pick<InForce, 'settings' | 'trusted'>> = {},
): Promise<{ host: Host; tools: ReadonlyMap<string, Tool>; checkpoints: Checkpoints }> {
  // Only commands that use them wait for the tools to be loaded.
  const {
    createCheckpoints,
    nodeHost,
    nodeStorage,
    permittedTools,
    searchProviderFrom,
    serversIn,
  } = await import('@toolglot/tools')
  const host = nodeHost({
    world,
    storage: nodeStorage(machineOf(terminal.env).state),
    environment: terminal.env,
    language: { trusted, servers: settings ? serversIn(settings) : [] },
  })
  const provider = searchProviderFrom(terminal.env)
  const tools = permittedTools(host, permissions, provider ? { provider } : {})
  return { host, tools, checkpoints: createCheckpoints(host) }
}
