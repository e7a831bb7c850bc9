import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SandboxName } from '../src/host/processes.ts'
import { detectSandbox } from '../src/sandbox/detect.ts'
import type { Network } from '../src/sandbox/sandbox.ts'

/** Why a sandbox does not work here, for the title of skipped tests; undefined if it works. */
export async function whyMissing(name: SandboxName, network: Network): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'toolglot-'))
  const [work, temporary, records] = ['work', 'tmp', 'records'].map((name) => join(folder, name))
  mkdirSync(work!)
  mkdirSync(temporary!)
  const places = {
    cwd: work!,
    writable: [work!],
    home: homedir(),
    temporary: temporary!,
    records: records!,
  }
  const env = { PATH: process.env['PATH'] ?? '' }
  const { sandbox, missing } = await detectSandbox({ ...places, network, env }, name)
  await sandbox.close()
  rmSync(folder, { recursive: true })
  return missing[0]?.reason
}

/** What a folder without any of the guarded names contains while a command runs. */
export const HELD_NAMES: readonly string[] = [
  ...['.claude', '.cursor', '.git', '.github', '.idea', '.mcp.json', '.toolglot', '.vscode'],
]
