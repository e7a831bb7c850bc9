import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SandboxName } from '../src/host/processes.ts'
import { detectSandbox } from '../src/sandbox/detect.ts'
import type { Network, Policy } from '../src/sandbox/sandbox.ts'
import { makeTemporaryFolder } from '../src/sandbox/temporary-folder.ts'

/** The policy for commands in a folder, with private folders beside it. */
export async function policyFor(work: string, network: Network = 'none'): Promise<Policy> {
  const { folder, home } = await makeTemporaryFolder(join(work, '../state'), {}, [])
  return {
    cwd: work,
    writable: [work],
    readable: [],
    logs: [],
    protection: { pinned: [], readOnly: [] },
    home: homedir(),
    privateHome: home,
    temporary: folder,
    state: join(work, '../state'),
    network,
    env: { PATH: process.env['PATH'] ?? '' },
    environment: {},
  }
}

/** True if a sandbox works on this machine. */
export async function startsSandbox(name: SandboxName, network: Network): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'toolglot-'))
  const work = join(folder, 'work')
  mkdirSync(work)
  const { sandbox, missing } = await detectSandbox(await policyFor(work, network), name)
  await sandbox.close()
  rmSync(folder, { recursive: true, force: true })
  return missing.length === 0
}
