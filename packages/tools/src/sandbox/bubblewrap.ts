import { findProgramOnPath } from '../paths/programs.ts'
import { CHECK_MOUNTS, expectedMounts, escapePath } from './mount-check.ts'
import { refuseTooWide, stateMounts, viewFor, visibleMounts } from './mounts.ts'
import { type Network, type Policy, type Sandbox, shellArguments } from './sandbox.ts'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

/** A program with its arguments. */
type CommandLine = readonly [program: string, ...args: string[]]

/** Wraps bubblewrap, so that paths are mounted on themselves before it starts. */
type MountFirst = (
  bubblewrap: CommandLine,
  pinned: readonly string[],
  readOnly: readonly string[],
) => { readonly line: CommandLine; readonly release: () => void }

/** Options of the inner bubblewrap: in the outer one, the user is root. */
const OWN_USER: readonly string[] = [
  ...['--uid', String(process.getuid?.() ?? 0)],
  ...['--gid', String(process.getgid?.() ?? 0)],
]

/** In milliseconds. */
const TRIAL_TIMEOUT = 5000

const OUTER = [
  ...['--unshare-user', '--uid', '0', '--gid', '0', '--cap-add', 'CAP_SYS_ADMIN'],
  // Needed to let the inner one map this user.
  ...['--cap-add', 'CAP_SETFCAP'],
  ...['--die-with-parent', '--dev-bind', '/', '/', '--'],
]

/** Arguments: the program `mount`, the list of mounts, and what to start. If a mount is missing, the inner sandbox notices. */
const SCRIPT = '"$0" -a -T "$1" >/dev/null 2>&1; shift; exec "$@"'

const lineFor = (path: string, options: string): string =>
  `${escapePath(path)} ${escapePath(path)} none ${options} 0 0\n`

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

/**
 * How to mount many paths in one go: an outer bubblewrap runs `mount`, and the inner one takes over its mounts with the folder
 * around them. By itself, bubblewrap reads the list of all mounts again for each of its own: a thousand take seconds. Undefined
 * if that doesn't work here, as where programs in a namespace may not create another one.
 */
async function mountingFirst(
  bubblewrap: string,
  { env, writable, temporary }: Policy,
): Promise<MountFirst | undefined> {
  const [bash, mount] = ['bash', 'mount'].map((name) =>
    findProgramOnPath(name, env['PATH'] ?? '', writable),
  )
  if (bash === undefined || mount === undefined) return undefined
  const mountFirst: MountFirst = (inner, pinned, readOnly) => {
    const lines = [
      ...pinned.map((path) => lineFor(path, 'bind')),
      ...readOnly.map((path) => lineFor(path, 'bind,ro')),
    ]
    // Commands can't see it.
    const list = join(dirname(temporary), `mounts-${randomBytes(4).toString('hex')}`)
    writeFileSync(list, lines.join(''), { mode: 0o600 })
    const script = [bash, '--noprofile', '--norc', '-c', SCRIPT, mount, list]
    return {
      line: [bubblewrap, ...OUTER, ...script, ...inner],
      release: () => rmSync(list, { force: true }),
    }
  }
  const trial = [bubblewrap, '--unshare-all', ...OWN_USER, '--bind', '/', '/', '--'] as const
  const folder = dirname(temporary)
  const { line, release } = mountFirst(
    [...trial, bash, '-c', '[[ ! -w $0 ]]', folder],
    [],
    [folder],
  )
  const [program, ...args] = line
  try {
    await promisify(execFile)(program, args, { env, cwd: '/', timeout: TRIAL_TIMEOUT })
    return mountFirst
  } catch {
    return undefined
  } finally {
    release()
  }
}
