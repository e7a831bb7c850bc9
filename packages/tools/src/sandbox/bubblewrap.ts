import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { readSmallFile } from '@toolglot/permissions/node/internal'
import { findProgramOnPath } from '../paths/programs.ts'
import { refuseTooWide, stateMounts, viewFor, visibleMounts } from './mounts.ts'
import { type Network, type Policy, type Sandbox, shellArguments } from './sandbox.ts'

/** A program with its arguments. */
type CommandLine = readonly [program: string, ...args: string[]]

/** Wraps a command line, so that paths are mounted on themselves before it starts. */
type MountFirst = (
  bubblewrap: CommandLine,
  pinned: readonly string[],
  readOnly: readonly string[],
) => { readonly line: CommandLine; readonly release: () => void }

/** Options for the inner bubblewrap: in the outer one, the user is root. */
const OWN_USER: readonly string[] = [
  ...['--uid', String(process.getuid?.() ?? 0)],
  ...['--gid', String(process.getgid?.() ?? 0)],
]

/** The timeout of a trial, in milliseconds. */
const TRIAL_TIMEOUT = 5000

const OUTER = [
  ...['--unshare-user', '--uid', '0', '--gid', '0', '--cap-add', 'CAP_SYS_ADMIN'],
  // Required to let the inner one map this user.
  ...['--cap-add', 'CAP_SETFCAP'],
  ...['--die-with-parent', '--dev-bind', '/', '/', '--'],
]

/**
 * Arguments: the program `mount`, the list of mounts, and the command line to start. The inner
 * sandbox notices a missing mount.
 */
const SCRIPT = '"$0" -a -T "$1" >/dev/null 2>&1; shift; exec "$@"'

const lineFor = (path: string, options: string): string =>
  `${escapePath(path)} ${escapePath(path)} none ${options} 0 0\n`

/** Runs commands in bubblewrap, with no network or with full network access. */
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

/** Options for `bubblewrap`. */
interface BubblewrapOptions {
  /**
   * True inside another sandbox, which already isolates network and processes and doesn't allow
   * nesting.
   */
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
 * Mounts many paths efficiently: an outer bubblewrap runs `mount`, and the inner one inherits its
 * mounts along with the folder around them. By itself, bubblewrap rereads the list of all mounts
 * for each new one, so a thousand mounts take seconds. Undefined if that doesn't work, for example
 * where programs in a namespace can't create another one.
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
    // Invisible to commands.
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

/** A mount as listed by the system: its device, and its path on that device. */
interface Mount {
  readonly point: string
  readonly source: string
}

/**
 * Arguments for `CHECK_MOUNTS`: each path with the start of its entry in the system's list, which
 * contains the source and whether it is read-only. bubblewrap looks paths up by name, and at that
 * moment another command could replace a parent folder with a link, so that the wrong file is
 * mounted, or in the wrong place.
 */
function expectedMounts(pinned: readonly string[], readOnly: readonly string[]): string[] {
  const locked = new Set(readOnly)
  const paths = new Set([...pinned, ...readOnly])
  if (paths.size === 0) return []
  const mounts = listMounts()
  return [...paths].flatMap((path) => {
    const escaped = escapePath(path)
    const around = mounts.reduce<Mount | undefined>(
      (best, mount) =>
        contains(mount.point, escaped) && mount.point.length >= (best?.point.length ?? 0)
          ? mount
          : best,
      undefined,
    )
    const rest = around?.point === '/' ? escaped : escaped.slice(around?.point.length)
    return [escaped, `${around?.source}${rest} ${locked.has(path) ? 'ro,' : ''}`]
  })
}

/**
 * Bash code that compares the mounts of its process with its arguments. No other program can run
 * before it.
 */
const CHECK_MOUNTS: string = [
  'declare -A __m; set -f',
  'mapfile -t __l </proc/self/mountinfo',
  'for __x in "${__l[@]}"; do __f=($__x); __m[${__f[4]}]="${__f[2]} ${__f[3]%/} ${__f[5]},"; done',
  `while (($#)); do [[ \${__m[$1]-} == "$2"* ]] || { echo 'Files changed while the sandbox was being prepared, so the command was not run. Run it again.' >&2; exit 126; }; shift 2; done`,
  'unset __m __l __x __f; set +f',
].join('; ')

function listMounts(): Mount[] {
  const lines = (readSmallFile('/proc/self/mountinfo', MAX_BYTES) ?? '').split('\n')
  return lines.flatMap((line) => {
    const [, , device, root, point] = line.split(' ')
    return point === undefined ? [] : [{ point, source: `${device} ${root!.replace(/\/$/, '')}` }]
  })
}

const MAX_BYTES = 10_000_000

function contains(folder: string, path: string): boolean {
  return folder === '/' || path === folder || path.startsWith(`${folder}/`)
}

/** Formats a path as in lists of mounts. */
function escapePath(path: string): string {
  return path.replaceAll(
    /[ \t\n\\]/g,
    (letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`,
  )
}
