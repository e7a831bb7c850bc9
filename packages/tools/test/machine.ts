import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ToolContext, ToolProgress } from '@toolglot/agent'
import { nodeFileSystem } from '@toolglot/permissions/node'
import { onTestFinished } from 'vitest'
import type { Host } from '../src/host/host.ts'
import { findProcess } from '../src/process/list-processes.ts'
import { nodeHost, type NodeHostOptions } from '../src/node/host.ts'

/**
 * A host with an empty workspace for one test. Default: in a temporary folder, and without a
 * sandbox.
 */
export async function machine(
  options: Partial<NodeHostOptions> = {},
  parent: string = tmpdir(),
): Promise<{ readonly host: Host; readonly root: string; readonly storage: string }> {
  const folder = await realpath(await mkdtemp(join(parent, 'toolglot-')))
  const [root, storage] = [await makeIn(folder, 'work-'), await makeIn(folder, 'storage-')]
  const host = nodeHost({
    fileSystem: nodeFileSystem({ cwd: root }),
    storage: { folder: storage },
    sandbox: { use: 'none' },
    ...options,
  })
  onTestFinished(async () => {
    await host.close()
    await rm(folder, { recursive: true, force: true })
  })
  return { host, root, storage }
}

async function makeIn(folder: string, prefix: string): Promise<string> {
  return await mkdtemp(join(folder, prefix))
}

/** True if a process is still running. */
export function lives(pid: number): boolean {
  return findProcess(pid)?.hasEnded === false
}

/** A tool context, and the progress reported to it. */
export function context(
  signal: AbortSignal = new AbortController().signal,
): ToolContext & { readonly said: ToolProgress[] } {
  const said: ToolProgress[] = []
  return { signal, call: 'call-1', progress: (update) => void said.push(update), said }
}
