import { existsSync } from 'node:fs'
import { findProgramOnPath } from '../paths/programs.ts'
import { findHidden } from './hidden.ts'
import { isVisible, refuseTooWide, workspaceMounts } from './mounts.ts'
import { protect } from './protect.ts'
import { type Network, type Policy, type Sandbox, shellArguments } from './sandbox.ts'

/** bubblewrap, called directly: for commands that need no network, or all of it. */
export function bubblewrap(network: Network, options: BubblewrapOptions = {}): Sandbox {
  return {
    name: 'bubblewrap',
    about: [
      'Commands can write only in the workspace and in a /tmp of their own, see no keys of the home folder, and no',
      network === 'host' ? 'other processes.' : 'other processes and no network.',
    ].join(' '),
    async wrap(script, policy) {
      const { env, writable } = policy
      refuseTooWide(writable)
      const program = findProgramOnPath('bwrap', env['PATH'] ?? '', writable)
      if (program === undefined) throw new Error('it is not installed')
      const hidden = await findHidden(policy.home, writable)
      const protection = protect(writable, policy.records)
      const args = [
        ...(options.nested ? nested() : outermost(policy)),
        ...outside(),
        ...workspaceMounts(writable, policy.temporary),
        ...protection.fixed.flatMap((path) => ['--bind', path, path]),
        ...protection.readOnly.flatMap((path) => ['--ro-bind', path, path]),
        ...protection.substitutes.flatMap(({ source, target }) => ['--ro-bind', source, target]),
        // The last one counts: what is both is hidden.
        ...hidden
          .filter(({ path }) => isVisible(path, writable))
          .flatMap(({ path, isFolder }) =>
            isFolder ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path],
          ),
        ...['--chdir', policy.cwd, '--'],
        ...shellArguments(script),
      ]
      return { program, args, cwd: '/', env, isolated: true, release: protection.release }
    },
    async close() {},
  }
}

export interface BubblewrapOptions {
  /** Inside another sandbox, which has network and processes of its own, and allows no second view of them. */
  readonly nested?: boolean
}

function outermost({ network }: Policy): string[] {
  return [
    ...['--unshare-all', ...(network === 'host' ? ['--share-net'] : [])],
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...SETTINGS_OF_THE_SYSTEM.flatMap((path) => ['--ro-bind-try', path, path]),
  ]
}

function nested(): string[] {
  return ['--unshare-user', '--ro-bind', '/', '/', '--dev', '/dev', '--ro-bind', '/proc', '/proc']
}

/** All but the workspace. Sockets of other programs stand in /run: there, nothing of this machine is seen. */
function outside(): string[] {
  return [
    ...['--die-with-parent', '--cap-drop', 'ALL'],
    ...(existsSync('/run') ? ['--tmpfs', '/run'] : []),
    ...NEEDED_IN_RUN.flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--setenv', 'TMPDIR', '/tmp'],
  ]
}

/** The administrator can change these with no right but the name. */
const SETTINGS_OF_THE_SYSTEM = [
  '/proc/sys',
  '/proc/sysrq-trigger',
  '/proc/irq',
  '/proc/bus',
  '/proc/fs',
  '/proc/acpi',
  '/proc/mtrr',
  '/proc/pressure',
]

/** Programs, on some systems; and where names are looked up. */
const NEEDED_IN_RUN = ['/run/current-system', '/run/wrappers', '/run/systemd/resolve']
