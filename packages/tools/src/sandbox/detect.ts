import { spawnSync } from 'node:child_process'
import { readTextFile } from '@toolglot/permissions/node/internal'
import type { SandboxName, SandboxReport } from '../host/processes.ts'
import { bubblewrap } from './bubblewrap.ts'
import { Capture } from '../output/capture.ts'
import { startCommand } from '../command/start-command.ts'
import { isInside } from '../paths/inside.ts'
import { findProgramOnPath, untrustedPathFolders } from '../paths/programs.ts'
import { quote, shellScript } from '../command/shell-script.ts'
import { refuseTooWide } from './mounts.ts'
import { type Policy, type Sandbox, shellArguments } from './sandbox.ts'

/** The sandbox that works on this machine, and the reasons why the other sandboxes don't. */
export interface Detected {
  readonly sandbox: Sandbox
  readonly missing: SandboxReport['missing']
}

/**
 * Finds the best sandbox that works. Each is tested with a shell, which must not be able to write
 * outside.
 */
export async function detectSandbox(policy: Policy, only?: SandboxName): Promise<Detected> {
  const missing: { name: SandboxName; reason: string }[] = []
  for (const { name, make } of candidatesFor(policy)) {
    if (only !== undefined && only !== name) continue
    try {
      const sandbox = await make()
      await tryRunning(sandbox, policy)
      return { sandbox, missing }
    } catch (error) {
      missing.push({ name, reason: reasonOf(error, name, policy) })
    }
  }
  return { sandbox: noSandbox(), missing }
}

interface Candidate {
  readonly name: SandboxName
  readonly make: () => Sandbox | Promise<Sandbox>
}

function candidatesFor(policy: Policy): Candidate[] {
  const { network } = policy
  const direct: Candidate = { name: 'bubblewrap', make: () => bubblewrap(network) }
  if (network === 'host') return [direct]
  const hosts = network === 'none' ? [] : network
  const runtime: Candidate = {
    name: 'sandbox-runtime',
    async make() {
      if (process.platform === 'linux') refuseTooWide(policy.writable)
      refuseUntrustedPath(policy)
      // Imported on demand because it is large and rarely used.
      const { sandboxRuntime } = await import('./sandbox-runtime.ts')
      return await sandboxRuntime(hosts)
    },
  }
  // No network is better than no sandbox.
  return hosts.length > 0 ? [runtime, direct] : [direct, runtime]
}

/** The sandbox starts programs by name outside of itself, so the PATH must be trustworthy. */
function refuseUntrustedPath({ env, writable }: Policy): void {
  const paths = [env['PATH'] ?? '', process.env['PATH'] ?? '']
  const [foreign] = paths.flatMap((path) => untrustedPathFolders(path, writable))
  if (foreign === undefined) return
  throw new Error(
    `it starts programs by name, and the PATH contains ${foreign || 'an empty entry'}, which is in the workspace`,
  )
}

async function tryRunning(sandbox: Sandbox, policy: Policy): Promise<void> {
  const open = [...policy.writable, '/tmp', '/var/tmp']
  const outside = ['/', '/usr', '/proc/sys/kernel/core_pattern', policy.home].filter(
    (path) => !open.some((folder) => isInside(path, folder)),
  )
  const tests = outside.map((path) => `[ -w ${quote(path)} ] && echo ${quote(path)}`)
  const script = ['echo ready', ...tests, 'true'].join('\n')
  try {
    const capture = new Capture({ limit: 1000, openLog: refuseLog })
    const launch = await sandbox.wrap(shellScript(script), policy)
    const { ended } = await startCommand(launch, {
      capture,
      mark: 'sandbox',
      timeout: TRIAL_TIMEOUT,
    })
    const { exitCode, timedOut } = await ended
    const { stdout, stderr } = await capture.end()
    if (timedOut) throw new Error(hangs(sandbox.name))
    if (exitCode !== 0) throw new Error(stderr.trim() || `it exits with ${exitCode}`)
    if (!stdout.startsWith('ready\n')) throw new Error('it does not run the command')
    if (stdout !== 'ready\n') throw new Error(`it lets commands write to ${stdout.slice(6).trim()}`)
  } catch (error) {
    await sandbox.close()
    throw error
  }
}

/** The timeout of a trial, in milliseconds. */
const TRIAL_TIMEOUT = 10_000

function hangs(name: SandboxName): string {
  const advice =
    name === 'bubblewrap'
      ? 'To find the cause, run: bwrap --ro-bind / / true. Then restart toolglot'
      : 'Restart toolglot to try it again'
  return `it did not finish a test within ${TRIAL_TIMEOUT / 1000} seconds. ${advice}`
}

async function refuseLog(): Promise<never> {
  throw new Error('unexpected log')
}

function reasonOf(error: unknown, name: SandboxName, policy: Policy): string {
  const { message = String(error), code } = error as { message?: string; code?: unknown }
  if (code === 'ENOENT') return 'it is not installed'
  if (name === 'bubblewrap') {
    if (message.includes('Unknown option'))
      return `${versionOf(policy)} is too old: version 0.4 is required`
    if (NO_NAMESPACES.test(message)) return `it can't create namespaces${namespaceAdvice()}`
  }
  return message.split('\n').slice(0, 3).join(' ').slice(0, 300)
}

function versionOf({ env, writable }: Policy): string {
  const program = findProgramOnPath('bwrap', env['PATH'] ?? '', writable)
  const { stdout = '' } = program === undefined ? {} : spawnSync(program, ['--version'], VERSION)
  return /^bubblewrap [\d.]{1,20}$/.test(stdout.trim()) ? stdout.trim() : 'this bubblewrap'
}

const VERSION = { encoding: 'utf8', timeout: 5000, maxBuffer: 1000 } as const

/** Messages of bubblewrap on systems where users can't create namespaces. */
const NO_NAMESPACES =
  /No permissions to creat|Creating new namespace failed|setting up uid map|RTM_NEWADDR/

/**
 * Linux settings that prevent users from creating namespaces, with the values that do so and those
 * that don't.
 */
const SWITCHES = [
  ['kernel.apparmor_restrict_unprivileged_userns', '1', '0'],
  ['kernel.unprivileged_userns_clone', '0', '1'],
  ['user.max_user_namespaces', '0', '10000'],
] as const

function namespaceAdvice(): string {
  const found = SWITCHES.find(([name, value]) => {
    const content = readTextFile(`/proc/sys/${name.replaceAll('.', '/')}`, 100)
    return 'text' in content && content.text.trim() === value
  })
  if (!found)
    return ': neither sysctl nor AppArmor forbid it, so this is probably a container. Let it create user namespaces'
  const [name, , other] = found
  const profile = name.includes('apparmor') ? ' (or an AppArmor profile for bwrap)' : ''
  return `, because of ${name}. Allow it with: sudo sysctl ${name}=${other}${profile}`
}

/** No sandbox: commands have all of the user's access. */
function noSandbox(): Sandbox {
  return {
    name: 'none',
    about: 'Only permissions restrict commands: they can do whatever their user can.',
    async wrap(script, { cwd, env }) {
      const [program, ...args] = shellArguments(script)
      return { program, args, cwd, env, isolated: false, release() {} }
    },
    async close() {},
  }
}
