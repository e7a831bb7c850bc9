import { findProgramOnPath } from '../paths/programs.ts'
import { type MountFirst, mountingFirst, OWN_USER } from './many-mounts.ts'
import { CHECK_MOUNTS, expectedMounts } from './mount-check.ts'
import { refuseTooWide, stateMounts, viewFor, visibleMounts } from './mounts.ts'
import { type Network, type Policy, type Sandbox, shellArguments } from './sandbox.ts'

/** Runs commands in bubblewrap, with no network or with all of it. */
export function bubblewrap(network: Network, options: BubblewrapOptions = {}): Sandbox {
  let mounting: Promise<MountFirst | undefined> | undefined
  return {
    name: 'bubblewrap',
    about: [
      'Commands can write only to the workspace, private caches and a private /tmp, and can see neither the rest of the home folder,',
      network === 'host' ? 'nor other processes.' : 'nor other processes, nor the network.',
    ].join(' '),
    async wrap(script, policy) {
      const { env, writable, protection } = policy
      refuseTooWide(writable)
      const program = findProgramOnPath('bwrap', env['PATH'] ?? '', writable)
      if (program === undefined) throw new Error('it is not installed')
      const [pinned, readOnly] = [outerFirst(protection.pinned), outerFirst(protection.readOnly)]
      const view = viewFor(policy)
      const checked = expectedMounts(pinned, readOnly)
      const isMany = pinned.length + readOnly.length > MANY && !options.nested
      const mountFirst = isMany ? await (mounting ??= mountingFirst(program, policy)) : undefined
      const protect = [
        ...pinned.flatMap((path) => ['--bind', path, path]),
        ...readOnly.flatMap((path) => ['--ro-bind', path, path]),
      ]
      const args = [
        ...(options.nested ? NESTED : outermost(policy)),
        ...(mountFirst ? OWN_USER : []),
        ...['--die-with-parent', '--cap-drop', 'ALL', '--setenv', 'TMPDIR', '/tmp'],
        ...visibleMounts(policy, view),
        ...(mountFirst ? [] : protect),
        ...stateMounts(policy, view),
        ...['--remount-ro', '/'],
        ...['--chdir', policy.cwd, '--'],
        ...(checked.length > 0
          ? shellArguments(`${CHECK_MOUNTS}; ${script}`, checked)
          : shellArguments(script)),
      ]
      const direct = { line: [program, ...args] as const, release: () => {} }
      const { line, release } = mountFirst?.(direct.line, pinned, readOnly) ?? direct
      return { program: line[0], args: line.slice(1), cwd: '/', env, isolated: true, release }
    },
    async close() {},
  }
}

/** With more paths than this, another way to mount them is faster. */
const MANY = 150

const outerFirst = (paths: readonly string[]): string[] =>
  [...new Set(paths)].sort((one, other) => one.length - other.length)

/** Options of `bubblewrap`. */
export interface BubblewrapOptions {
  /** Run inside another sandbox, which already isolates network and processes and does not allow doing it again. */
  readonly nested?: boolean
}

function outermost({ network }: Policy): string[] {
  return [
    ...['--unshare-all', ...(network === 'host' ? ['--share-net'] : [])],
    ...['--dev', '/dev', '--proc', '/proc'],
    ...SETTINGS_OF_THE_SYSTEM.flatMap((path) => ['--ro-bind-try', path, path]),
  ]
}

const NESTED = ['--unshare-user', '--dev', '/dev', '--ro-bind', '/proc', '/proc']

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
