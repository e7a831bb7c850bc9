import { below } from './segments.ts'

/** Why a folder must not be removed unasked, if so: with it goes the machine, somebody's home, or the work itself. */
export function criticalBy(
  path: readonly string[],
  folders: readonly (readonly string[])[],
): string | undefined {
  if (path.length === 0) return 'it is the whole disk'
  if (path.length === 1) return 'it is a folder at the top of the disk'
  const isHome = path.length === 2 && (path[0] === 'home' || path[0] === 'users')
  if (isHome) return "it is somebody's home"
  if (path.length === 2 && (path[0] === 'mnt' || path[0] === 'volumes')) return 'it is a whole disk'
  return folders.some((folder) => below(path, folder))
    ? 'the work, or the home, lies in it'
    : undefined
}
