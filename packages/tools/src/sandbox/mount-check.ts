import { readSmallFile } from '@toolglot/permissions/node/internal'

/** A mount as the system lists it: its device, and its path on that device. */
interface Mount {
  readonly point: string
  readonly source: string
}

/**
 * Arguments for `CHECK_MOUNTS`: each path with the start of what the system must list for it: the source, and whether it is read-only. bubblewrap looks paths up by name, and another
 * command could replace a folder on the way by a link in that moment, so that something else is mounted, or elsewhere.
 */
export function expectedMounts(pinned: readonly string[], readOnly: readonly string[]): string[] {
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

/** Bash code that compares the mounts of its own process with its arguments. No other program can run before it. */
export const CHECK_MOUNTS: string = [
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

/** A path as it is written in lists of mounts. */
export function escapePath(path: string): string {
  return path.replaceAll(
    /[ \t\n\\]/g,
    (letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`,
  )
}
