import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { findProgramOnPath } from '../paths/programs.ts'
import { escapePath } from './mount-check.ts'
import type { Policy } from './sandbox.ts'

/** A program with its arguments. */
export type CommandLine = readonly [program: string, ...args: string[]]

/** Wraps bubblewrap, so that paths are mounted on themselves before it starts. */
export type MountFirst = (
  bubblewrap: CommandLine,
  pinned: readonly string[],
  readOnly: readonly string[],
) => { readonly line: CommandLine; readonly release: () => void }

/**
 * How to mount many paths in one go: an outer bubblewrap runs `mount`, and the inner one takes over its mounts with the folder
 * around them. By itself, bubblewrap reads the list of all mounts again for each of its own: a thousand take seconds. Undefined
 * if that doesn't work here, as where programs in a namespace may not create another one.
 */
export async function mountingFirst(
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

/** Options of the inner bubblewrap: in the outer one, the user is root. */
export const OWN_USER: readonly string[] = [
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
