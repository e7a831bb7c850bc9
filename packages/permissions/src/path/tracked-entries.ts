import type { FolderEntry, Repository } from '../decide/file-system.ts'
import type { FileOperation } from '../decide/operation.ts'
import { MAX_ENTRIES, type SearchableFileSystem } from '../decide/look-up.ts'
import { isWithin } from './segments.ts'

/**
 * The files in a folder that git tracks, including removed ones, and their folders. Undefined if
 * unknown.
 */
export function trackedEntries(
  folder: string,
  fileSystem: SearchableFileSystem,
): readonly FolderEntry[] | undefined {
  const repository = fileSystem.repositoryOf?.(folder)
  if (!repository?.files || repository.files.length > MAX_ENTRIES) return undefined
  // Git may be configured to show changes inside submodules.
  if (repository.submodules?.length !== 0) return undefined
  return entriesOf(repository.files, startOf(folder, repository))
}

/** The files whose names have this prefix, and their folders. */
function entriesOf(names: Iterable<string>, start: string): readonly FolderEntry[] {
  const folders = new Set<string>()
  const files: FolderEntry[] = []
  for (const name of names) {
    if (!name.startsWith(start)) continue
    const path = name.slice(start.length)
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1))
      folders.add(path.slice(0, at))
    files.push({ path, kind: 'file' })
  }
  return [...[...folders].map((path): FolderEntry => ({ path, kind: 'folder' })), ...files]
}

/** The files in a folder that differ from the last commit, or undefined if unknown. */
export function changedEntries(
  folder: string,
  fileSystem: SearchableFileSystem,
  where: NonNullable<FileOperation['sinceHead']>,
): readonly FolderEntry[] | undefined {
  const repository = repositoryAround(folder, fileSystem)
  if (!repository?.files || !isWithin(folder, repository.root)) return undefined
  if (repository.submodules?.length !== 0) return undefined
  const changed = repository.changedSinceHead?.()
  if (!changed || changed.size + repository.files.length > MAX_ENTRIES) return undefined
  // Any tracked file may have changed since it was added to the index.
  const files = where === 'files' ? new Set([...changed, ...repository.files]) : changed
  return entriesOf(files, startOf(folder, repository))
}

/** The repository of a folder that may no longer exist. */
function repositoryAround(
  folder: string,
  fileSystem: SearchableFileSystem,
): Repository | undefined {
  let at = folder
  while (at !== '/' && !fileSystem.identify?.(at)) at = at.slice(0, at.lastIndexOf('/')) || '/'
  return fileSystem.repositoryOf?.(at)
}

/** Returns a test for files in a folder that equal their version in the last commit. */
export function sameIn(
  folder: string,
  fileSystem: SearchableFileSystem,
  where: NonNullable<FileOperation['sinceHead']>,
): (path: string) => boolean {
  if (where !== 'files') return () => false
  const repository = repositoryAround(folder, fileSystem)
  const changed = repository?.changedSinceHead?.()
  const isUnchanged = unchangedIn(folder, fileSystem, true)
  return (path) =>
    changed?.has(`${startOf(folder, repository!)}${path}`) === false && isUnchanged(path)
}

/**
 * Returns a test for tracked files in a folder that equal their version in the index, so that `git
 * diff` does not show them. With `named`, git does not even print their names.
 */
export function unchangedIn(
  folder: string,
  fileSystem: SearchableFileSystem,
  tracked: NonNullable<FileOperation['tracked']>,
): (path: string) => boolean {
  const test = tracked === 'named' ? 'isClean' : 'isUnchanged'
  const repository = fileSystem.repositoryOf?.(folder)
  let left = MAX_COMPARED
  return (path) =>
    repository !== undefined &&
    left-- > 0 &&
    repository[test]?.(`${startOf(folder, repository)}${path}`) === true
}

/** The maximum number of files to compare, since each is read. */
const MAX_COMPARED = 100

/** The prefix of the names of files in a folder. */
function startOf(folder: string, { root }: Repository): string {
  const inner = folder.slice(root.length).replace(/^\//, '')
  return inner === '' ? '' : `${inner}/`
}
