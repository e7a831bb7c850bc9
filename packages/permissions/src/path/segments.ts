import type { FileSystemView } from '../decide/file-system.ts'

/** The parts of an absolute path: `/a/./b/../c` is `a`, `c`. */
export function segmentsOf(path: string): string[] {
  const segments: string[] = []
  for (const name of path.split('/')) {
    if (name === '..') segments.pop()
    else if (name !== '' && name !== '.') segments.push(name)
  }
  return segments
}

/** The absolute path with these parts. */
export function pathOf(segments: readonly string[]): string {
  return `/${segments.join('/')}`
}

/** A path relative to a folder: empty if it is that folder, undefined if it is outside. */
export function relativeTo(
  folder: readonly string[],
  path: readonly string[],
): string[] | undefined {
  if (path.length < folder.length) return undefined
  return folder.every((name, at) => name === path[at]) ? path.slice(folder.length) : undefined
}

/**
 * True if an absolute path is in a folder or is that folder. Both must be written without `.` and
 * `..`.
 */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder === '/' ? '' : folder}/`)
}

/** The real path, or undefined if unknown. */
export function realPath(path: string, fileSystem: FileSystemView): string | undefined {
  return fileSystem.follow(path)?.at(-1)
}

/** True if an absolute path is itself a link. */
export function isLinkItself(path: string, fileSystem: FileSystemView): boolean {
  const full = path.replace(/\/+$/, '')
  const parent = realPath(full.slice(0, full.lastIndexOf('/')) || '/', fileSystem)
  const name = full.slice(full.lastIndexOf('/') + 1)
  if (parent === undefined || name === '.' || name === '..' || name === '') return false
  const entry = `${parent === '/' ? '' : parent}/${name}`
  return realPath(entry, fileSystem) !== entry
}
