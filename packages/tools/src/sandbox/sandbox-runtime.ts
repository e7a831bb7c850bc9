import { join } from 'node:path'
import { rgPath } from '@vscode/ripgrep'
import { SandboxManager } from '@anthropic-ai/sandbox-runtime'
import { bubblewrap } from './bubblewrap.ts'
import { quote } from '../command/shell-script.ts'
import { findGuarded } from './guarded.ts'
import { findHidden } from './hidden.ts'
import { type Policy, type Sandbox, shellArguments } from './sandbox.ts'

/** Runs commands in sandbox-runtime, whose proxy lets them reach only the named hosts. */
export async function sandboxRuntime(hosts: readonly string[]): Promise<Sandbox> {
  const config = configFor(hosts, { ...UNRESTRICTED, disabled: false })
  const { errors } = await SandboxManager.checkDependenciesAsync(config.ripgrep)
  if (errors.length > 0) throw new Error(errors.join('; '))
  await acquire(hosts, () => SandboxManager.initialize(config))

  return {
    name: 'sandbox-runtime',
    about: `Commands can write only to the workspace and a private /tmp, cannot see keys in the home folder, and can reach ${hosts.join(', ') || 'no host'}.`,
    async wrap(script, policy) {
      const inner = await innerFor(script, policy)
      const wrapped = await wrapWithRuntime(inner, hosts)
      const [program, ...args] = shellArguments(wrapped)
      return {
        program,
        args,
        cwd: policy.cwd,
        env: policy.env,
        isolated: process.platform === 'linux',
        release() {
          SandboxManager.cleanupAfterCommand()
          inner.release()
        },
      }
    },
    close: release,
  }
}

async function wrapWithRuntime(
  { text, filesystem, release }: Inner,
  hosts: readonly string[],
): Promise<string> {
  try {
    return await SandboxManager.wrapWithSandbox(text, '/bin/bash', configFor(hosts, filesystem))
  } catch (error) {
    release()
    throw error
  }
}

interface Inner {
  readonly text: string
  readonly filesystem: Filesystem
  readonly release: () => void
}

/**
 * On Linux it isolates only the network, and our own bubblewrap inside it isolates the files. So files are protected the
 * same way with and without network, and system settings are protected from root as well. On its own, sandbox-runtime
 * would put empty files into our working folder while commands run, and leave them there when killed.
 */
async function innerFor(script: string, policy: Policy): Promise<Inner> {
  if (process.platform !== 'linux') {
    return { text: script, filesystem: await filesystemFor(policy), release() {} }
  }
  const launch = await bubblewrap('host', { nested: true }).wrap(script, {
    ...policy,
    network: 'host',
  })
  const text = `exec ${[launch.program, ...launch.args].map(quote).join(' ')}`
  return { text, filesystem: UNRESTRICTED, release: () => launch.release() }
}

/** sandbox-runtime is a singleton: another list of hosts is possible only after all users have closed it. */
let shared: { readonly hosts: string; users: number; readonly ready: Promise<void> } | undefined

async function acquire(hosts: readonly string[], start: () => Promise<void>): Promise<void> {
  const key = JSON.stringify(hosts)
  shared ??= { hosts: key, users: 0, ready: start() }
  if (shared.hosts !== key)
    throw new Error(`it is in use in this process for ${shared.hosts}, not for ${key}`)
  shared.users++
  try {
    await shared.ready
  } catch (error) {
    await release()
    throw error
  }
}

async function release(): Promise<void> {
  if (!shared || --shared.users > 0) return
  shared = undefined
  await SandboxManager.reset()
}

interface Filesystem {
  readonly disabled: boolean
  readonly denyRead: string[]
  readonly allowWrite: string[]
  readonly denyWrite: string[]
}

const UNRESTRICTED: Filesystem = { disabled: true, denyRead: [], allowWrite: [], denyWrite: [] }

/** Rules by path, whether or not the path exists. */
async function filesystemFor(policy: Policy): Promise<Filesystem> {
  const { writable, temporary } = policy
  const hidden = await findHidden(policy)
  return {
    disabled: false,
    denyRead: hidden.map(({ path }) => path),
    allowWrite: [...writable, temporary],
    denyWrite: writable.flatMap((root) => {
      const { readOnly, missing } = findGuarded(root)
      return [...readOnly, ...missing].map((name) => join(root, name))
    }),
  }
}

function configFor(hosts: readonly string[], filesystem: Filesystem) {
  return {
    network: { allowedDomains: [...hosts], deniedDomains: [] },
    filesystem,
    ripgrep: { command: rgPath },
  }
}
