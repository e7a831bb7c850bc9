import { realpathSync, existsSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'

/** True if a path is a folder or inside it. Both must be real paths. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/** Yields a folder and its parents, up to the root. */
export function* upwards(folder: string): Iterable<string> {
  for (let at = folder; ; at = join(at, '..')) {
    yield at
    if (at === join(at, '..')) return
  }
}

/** Resolves a path in settings: relative to a folder, or to the home folder after `~/`. */
export function resolvePath(path: string, from: string, home: string): string {
  if (path === '~') return home
  if (path.startsWith('~/')) return join(home, path.slice(2))
  return isAbsolute(path) ? join(path) : join(from, path)
}

/** The real path of a file or folder, or the path itself if it does not exist. */
export function realPathOrSame(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    // The path does not exist or is inaccessible.
    return path
  }
}

/** The root of the Git repository that contains a folder, or undefined if no repository does. */
export function gitRoot(folder: string): string | undefined {
  for (const at of upwards(folder)) {
    if (existsSync(join(at, '.git'))) return at
  }
  return undefined
}
