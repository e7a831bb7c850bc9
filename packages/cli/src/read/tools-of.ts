import { judgeFile, type Permissions, type Tool, type World } from '@toolglot/agent'
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
  const { createCheckpoints, createTools, nodeHost, nodeStorage, searchProviderFrom } =
    await import('@toolglot/tools')
  const storage = nodeStorage(machineOf(terminal.env).state)
  const host = nodeHost({ world, storage, environment: terminal.env })
  const judge = judgeFile(permissions.rules, world)
  const allowed = (path: string): boolean =>
    judge({ kind: 'read', path, cwd: world.cwd, because: 'search' }).verdict !== 'deny'
  const provider = searchProviderFrom(terminal.env)
  const options = { allowed, rules: () => permissions.rules, ...(provider && { provider }) }
  return { host, tools: createTools(host, options), checkpoints: createCheckpoints(host) }
}
