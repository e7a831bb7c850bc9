import { existsSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { HOME, WORKSPACE } from './workspace.mjs'

/** The programs that the oracle needs, with their Debian packages. */
const NEEDED = { bwrap: 'bubblewrap', strace: 'strace', git: 'git', bash: 'bash' }

/** The reason why the oracle can't run here; undefined if it can. */
export function whyNot() {
  if (process.platform !== 'linux') return 'it needs Linux'
  const missing = Object.entries(NEEDED)
    .filter(([program]) => spawnSync(program, ['--version'], { stdio: 'ignore' }).error)
    .map(([, name]) => name)
  if (missing.length > 0) return `it needs the Debian packages ${missing.join(', ')}`
  const trial = spawnSync('bwrap', [
    ...SYSTEM,
    ...ALONE,
    ...'strace -f --seccomp-bpf -A -o /tmp/x true'.split(' '),
  ])
  return trial.status === 0
    ? undefined
    : `bubblewrap or strace does not work here: ${String(trial.stderr)}`
}

const FOLDERS = ['/usr', '/etc', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/opt', '/var/lib']
/** The system's folders, read-only. */
const SYSTEM = [
  ...['--tmpfs', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'],
  ...FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) => [
    '--ro-bind',
    folder,
    folder,
  ]),
]

/** The path in the box of the files for each text. */
export const TEMPLATE = '/oracle'
const ALONE = 'user pid net ipc uts cgroup'.split(' ').map((name) => `--unshare-${name}`)

/**
 * The command line that runs a program in the box: no network, no privileges, and no write access
 * to this machine.
 */
export function boxed({ template, readable }, program) {
  return [
    ...SYSTEM,
    ...readable.flatMap((path) => ['--ro-bind', path, path]),
    ...['--ro-bind', template, TEMPLATE, '--tmpfs', WORKSPACE, '--tmpfs', HOME],
    ...[...ALONE, '--cap-drop', 'ALL', '--die-with-parent', '--new-session'],
    ...['--setenv', 'HOME', HOME, '--chdir', WORKSPACE],
    ...program,
  ]
}
