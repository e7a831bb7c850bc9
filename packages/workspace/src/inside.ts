import { realpathSync, existsSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'

/** Whether a path is a folder or inside it. Both are real paths. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/** A folder and its parents, up to the root. */
export function* upwards(folder: string): Iterable<string> {
  for (let at = folder; ; at = join(at, '..')) {
    yield at
    if (at === join(at, '..')) return
  }
}

/** Resolves a path of settings: relative to a folder, or to home after `~/`. */
export function resolvePath(path: string, from: string, home: string): string {
  if (path === '~') return home
  if (path.startsWith('~/')) return join(home, path.slice(2))
  return isAbsolute(path) ? join(path) : join(from, path)
}

/** The real path of a file or folder; the path itself if there is nothing. */
export function realPathOrSame(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    // It does not exist, or may not be looked at.
    return path
  }
}

/** The root of the Git repository that a folder is in; undefined if it is in none. */
export function gitRoot(folder: string): string | undefined {
  for (const at of upwards(folder)) {
    if (existsSync(join(at, '.git'))) return at
  }
  return undefined
}
