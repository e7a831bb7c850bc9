import { existsSync } from 'node:fs'
import { findProgramOnPath } from '../paths/programs.ts'
import { findHidden } from './hidden.ts'
import { isVisible, refuseTooWide, workspaceMounts } from './mounts.ts'
import { protect } from './protect.ts'
import { type Network, type Policy, type Sandbox, shellArguments } from './sandbox.ts'

/** Runs commands in bubblewrap, with no network or with all of it. */
export function bubblewrap(network: Network, options: BubblewrapOptions = {}): Sandbox {
  return {
    name: 'bubblewrap',
    about: [
      'Commands can write only to the workspace and a private /tmp, and cannot see keys in the home folder,',
      network === 'host' ? 'or other processes.' : 'other processes or the network.',
    ].join(' '),
    async wrap(script, policy) {
      const { env, writable } = policy
      refuseTooWide(writable)
      const program = findProgramOnPath('bwrap', env['PATH'] ?? '', writable)
      if (program === undefined) throw new Error('it is not installed')
      const hidden = await findHidden(policy)
      const protection = protect(writable, policy.records)
      const args = [
        ...(options.nested ? nested() : outermost(policy)),
        ...outside(),
        ...workspaceMounts(writable, policy.temporary),
        ...protection.fixed.flatMap((path) => ['--bind', path, path]),
        ...protection.readOnly.flatMap((path) => ['--ro-bind', path, path]),
        ...protection.substitutes.flatMap(({ source, target }) => ['--ro-bind', source, target]),
        // Later mounts win: a path that is both is hidden.
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

/** Options of `bubblewrap`. */
export interface BubblewrapOptions {
  /** Run inside another sandbox, which already isolates network and processes and does not allow doing it again. */
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

/** Everything but the workspace. /run is hidden because it contains the sockets of other programs. */
function outside(): string[] {
  return [
    ...['--die-with-parent', '--cap-drop', 'ALL'],
    ...(existsSync('/run') ? ['--tmpfs', '/run'] : []),
    ...NEEDED_IN_RUN.flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--setenv', 'TMPDIR', '/tmp'],
  ]
}

/** Files that root can change even without capabilities. */
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

/** Programs on some systems, and name resolution. */
const NEEDED_IN_RUN = ['/run/current-system', '/run/wrappers', '/run/systemd/resolve']
