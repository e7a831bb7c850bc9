import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { SandboxName, SandboxReport } from '../host/processes.ts'
import { bubblewrap } from './bubblewrap.ts'
import { noSandbox } from './none.ts'
import { isInside } from '../process/folder.ts'
import { quote } from '../process/shell.ts'
import type { Network, Policy, Sandbox } from './sandbox.ts'
import { sandboxRuntime } from './sandbox-runtime.ts'

/** A sandbox that runs here, and why others do not. */
export interface Detected {
  readonly sandbox: Sandbox
  readonly missing: SandboxReport['missing']
}

/** The best one that runs. Each is really tried: a shell is started in it, which must not be able to write outside. */
export async function detectSandbox(policy: Policy, only?: SandboxName): Promise<Detected> {
  const missing: { name: SandboxName; reason: string }[] = []
  for (const { name, make } of candidatesFor(policy.network)) {
    if (only !== undefined && only !== name) continue
    try {
      const sandbox = await make()
      await tryOut(sandbox, policy)
      return { sandbox, missing }
    } catch (error) {
      missing.push({ name, reason: reasonOf(error) })
    }
  }
  return { sandbox: noSandbox(), missing }
}

interface Candidate {
  readonly name: SandboxName
  readonly make: () => Sandbox | Promise<Sandbox>
}

function candidatesFor(network: Network): Candidate[] {
  const direct: Candidate = { name: 'bubblewrap', make: () => bubblewrap(network) }
  if (network === 'host') return [direct]
  const hosts = network === 'none' ? [] : network
  const runtime: Candidate = { name: 'sandbox-runtime', make: () => sandboxRuntime(hosts) }
  return hosts.length > 0 ? [runtime] : [direct, runtime]
}

async function tryOut(sandbox: Sandbox, policy: Policy): Promise<void> {
  const isInWorkspace = (path: string): boolean =>
    policy.writable.some((root) => isInside(path, root))
  const outside = ['/', '/usr', policy.home].filter((path) => !isInWorkspace(path))
  const tests = outside.map((path) => `[ -w ${quote(path)} ] && echo ${quote(path)}`)
  const script = ['echo ready', ...tests, 'true'].join('\n')
  const launch = await sandbox.wrap(script, policy)
  const { program, args, cwd, env } = launch
  try {
    const { stdout } = await promisify(execFile)(program, args, { cwd, env, timeout: 10_000 })
    if (stdout !== 'ready\n') throw new Error(`it lets commands write in ${stdout.slice(6).trim()}`)
  } catch (error) {
    await sandbox.close()
    throw error
  } finally {
    await launch.release()
  }
}

function reasonOf(error: unknown): string {
  const { message, stderr, code } = error as { message?: string; stderr?: string; code?: unknown }
  if (code === 'ENOENT') return 'it is not installed'
  const said = stderr?.trim() || message || String(error)
  return said.split('\n').slice(0, 3).join(' ').slice(0, 300)
}
