import { guardedPaths } from '@toolglot/permissions/internal'
import { rgPath } from '@vscode/ripgrep'
import { SandboxManager } from '@anthropic-ai/sandbox-runtime'
import { bubblewrap } from './bubblewrap.ts'
import { quote } from '../command/shell-script.ts'
import { toolchains } from './toolchains.ts'
import { isHomeOpen } from './mounts.ts'
import { isInAny } from '../paths/programs.ts'
import { type Policy, type Sandbox, shellArguments } from './sandbox.ts'

/** Runs commands in sandbox-runtime, whose proxy allows only the given hosts. */
export async function sandboxRuntime(hosts: readonly string[]): Promise<Sandbox> {
  const config = configFor(hosts, { ...UNRESTRICTED, disabled: false })
  const { errors } = await SandboxManager.checkDependenciesAsync(config.ripgrep)
  if (errors.length > 0) throw new Error(errors.join('; '))
  await acquire(hosts, () => SandboxManager.initialize(config))

  return {
    name: 'sandbox-runtime',
    about: `Commands can write only to the workspace, private caches and a private /tmp, cannot see the rest of the home folder, and can reach ${hosts.join(', ') || 'no host'}.`,
    async wrap(script, policy) {
      const inner = await innerFor(script, policy)
      const wrapped = await wrapWithRuntime(inner, hosts)
      const [program, ...args] = shellArguments(wrapped)
      return {
        program,
        args,
        cwd: policy.cwd,
        env:
          process.platform === 'linux' ? policy.env : { ...policy.env, ...privateFolders(policy) },
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
 * On Linux it isolates only the network, and our own bubblewrap inside it isolates the files. So
 * files are protected in the same way with and without network, and system settings are also
 * protected from root. By itself, sandbox-runtime would put empty files into our working folder
 * while commands run, and leave them there when killed.
 */
async function innerFor(script: string, policy: Policy): Promise<Inner> {
  if (process.platform !== 'linux') {
    return { text: script, filesystem: filesystemFor(policy), release() {} }
  }
  const launch = await bubblewrap('host', { nested: true }).wrap(script, {
    ...policy,
    network: 'host',
  })
  const text = `exec ${[launch.program, ...launch.args].map(quote).join(' ')}`
  if (Buffer.byteLength(text) > MAX_TEXT)
    throw new Error(
      'Too many protected files for a sandbox that reaches named hosts. Open a smaller folder.',
    )
  return { text, filesystem: UNRESTRICTED, release: () => launch.release() }
}

/** Linux allows 128 KB for one argument, and sandbox-runtime adds some text. */
const MAX_TEXT = 100_000

/**
 * sandbox-runtime is a singleton: the list of hosts can change only after all users have closed it.
 */
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
  readonly allowRead: string[]
  readonly allowWrite: string[]
  readonly denyWrite: string[]
}

const UNRESTRICTED: Filesystem = {
  disabled: true,
  denyRead: [],
  allowRead: [],
  allowWrite: [],
  denyWrite: [],
}

/** The rules for macOS, which denies access by name, even if a path doesn't exist. */
export function filesystemFor(policy: Policy): Filesystem {
  const odd = policy.writable.find((root) => /[*?[\]{}]/.test(root))
  if (odd !== undefined)
    throw new Error(`${odd} contains characters that it takes for a pattern. Rename the folder`)
  const { home, privateHome, temporary, writable, readable, logs, state } = policy
  const named = readable.filter((path) => !isInAny(path, writable))
  const shown = [...toolchains(policy).map(({ target }) => target), ...named]
  return {
    disabled: false,
    denyRead: [...(isHomeOpen(policy) ? [] : [home, ...HIDDEN]), state],
    allowRead: [...shown, ...writable, temporary, privateHome, ...logs],
    allowWrite: [...writable, temporary, privateHome],
    denyWrite: writable.flatMap((root) => guardedPaths.globs.map((glob) => `${root}/**/${glob}`)),
  }
}

/** The locations of caches and git's identity: on macOS, the home folder can't be replaced. */
function privateFolders({ privateHome }: Policy): Record<string, string> {
  return {
    GIT_CONFIG_GLOBAL: `${privateHome}/.gitconfig`,
    XDG_CACHE_HOME: `${privateHome}/.cache`,
    npm_config_cache: `${privateHome}/.npm`,
  }
}

/** The homes of other users, and other disks. */
const HIDDEN = ['/Users', '/Volumes']

function configFor(hosts: readonly string[], filesystem: Filesystem) {
  return {
    network: { allowedDomains: [...hosts], deniedDomains: [] },
    filesystem,
    ripgrep: { command: rgPath },
  }
}
