import { rgPath } from '@vscode/ripgrep'
import { SandboxManager } from '@anthropic-ai/sandbox-runtime'
import { bubblewrap } from './bubblewrap.ts'
import { quote } from '../process/shell.ts'
import { hiddenIn } from './hidden.ts'
import { protect } from './protect.ts'
import { type Policy, type Sandbox, shellArguments } from './sandbox.ts'

/** sandbox-runtime: for commands that may reach the hosts that are named, through a proxy that lets nothing else pass. */
export async function sandboxRuntime(hosts: readonly string[]): Promise<Sandbox> {
  const config = configFor(hosts, { denyRead: [], allowWrite: [], denyWrite: [] })
  const { errors } = await SandboxManager.checkDependenciesAsync(config.ripgrep)
  if (errors.length > 0) throw new Error(errors.join('; '))
  await begin(hosts, () => SandboxManager.initialize(config))

  return {
    name: 'sandbox-runtime',
    about: `Commands can write only in the workspace and in a /tmp of their own, see no keys of the home folder, and reach ${hosts.join(', ') || 'no host'}.`,
    async wrap(script, policy) {
      const inner = await innerFor(script, policy)
      const filesystem = await filesystemFor(policy, inner.readOnly)
      const wrapped = await SandboxManager.wrapWithSandbox(
        inner.text,
        '/bin/bash',
        configFor(hosts, filesystem),
      )
      const [program, ...args] = shellArguments(wrapped)
      return {
        program,
        args,
        cwd: policy.cwd,
        env: policy.env,
        isolated: process.platform === 'linux',
        async release() {
          SandboxManager.cleanupAfterCommand()
          await inner.release()
        },
      }
    },
    close: end,
  }
}

/**
 * On Linux it has the network, and a bubblewrap of ours inside it has the files: so they are held alike with and
 * without network, and the settings of the system, which it leaves open to an administrator, are held, too.
 */
async function innerFor(
  script: string,
  policy: Policy,
): Promise<{ text: string; readOnly: readonly string[]; release: () => Promise<void> }> {
  if (process.platform !== 'linux') {
    const { readOnly, release } = await protect(policy.writable)
    return { text: script, readOnly, release }
  }
  const launch = await bubblewrap('host', { nested: true }).wrap(script, {
    ...policy,
    network: 'host',
  })
  const text = `exec ${[launch.program, ...launch.args].map(quote).join(' ')}`
  return { text, readOnly: [], release: () => launch.release() }
}

/** There is one of it in a program: who needs it with other hosts must wait until the others have closed theirs. */
let shared: { readonly hosts: string; users: number; readonly ready: Promise<void> } | undefined

async function begin(hosts: readonly string[], start: () => Promise<void>): Promise<void> {
  const key = JSON.stringify(hosts)
  shared ??= { hosts: key, users: 0, ready: start() }
  if (shared.hosts !== key)
    throw new Error(`another part of this program uses it for ${shared.hosts}, not for ${key}`)
  shared.users++
  try {
    await shared.ready
  } catch (error) {
    await end()
    throw error
  }
}

async function end(): Promise<void> {
  if (!shared || --shared.users > 0) return
  shared = undefined
  await SandboxManager.reset()
}

interface Filesystem {
  readonly denyRead: string[]
  readonly allowWrite: string[]
  readonly denyWrite: string[]
}

async function filesystemFor(policy: Policy, readOnly: readonly string[]): Promise<Filesystem> {
  const hidden = await hiddenIn(policy.home, policy.writable)
  return {
    denyRead: hidden.map(({ path }) => path),
    allowWrite: [...policy.writable, policy.temporary],
    denyWrite: [...readOnly],
  }
}

function configFor(hosts: readonly string[], filesystem: Filesystem) {
  return {
    network: { allowedDomains: [...hosts], deniedDomains: [] },
    filesystem,
    ripgrep: { command: rgPath },
  }
}
