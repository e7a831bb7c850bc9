import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FileSystemView, TemporaryMount } from '@toolglot/permissions'
import type { NodeHostOptions } from '@toolglot/tools'

/**
 * The view of a file system that a run has, where a sandbox gives commands a temporary folder of their own. Whether one works
 * here is tried out only if a decision depends on it.
 */
export function asInRun(
  fileSystem: FileSystemView,
  env: Readonly<Record<string, string | undefined>>,
  sandbox: NonNullable<NodeHostOptions['sandbox']> = {},
): FileSystemView {
  let found: Promise<readonly TemporaryMount[]> | undefined
  return { ...fileSystem, temporary: () => (found ??= tryOut(fileSystem, env, sandbox)) }
}

async function tryOut(
  fileSystem: FileSystemView,
  environment: Readonly<Record<string, string | undefined>>,
  sandbox: NonNullable<NodeHostOptions['sandbox']>,
): Promise<readonly TemporaryMount[]> {
  const { nodeHost } = await import('@toolglot/tools')
  const folder = await mkdtemp(join(tmpdir(), 'toolglot-permit-'))
  const host = nodeHost({ fileSystem, storage: { folder }, environment, sandbox })
  try {
    return (await host.processes.temporary?.()) ?? []
  } finally {
    await host.close()
    await rm(folder, { recursive: true, force: true })
  }
}
