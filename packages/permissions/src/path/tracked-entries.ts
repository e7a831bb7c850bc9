import type { FolderEntry, Repository } from '../decide/file-system.ts'
import type { FileOperation } from '../decide/operation.ts'
import { MAX_ENTRIES, type SearchableFileSystem } from '../decide/look-up.ts'

/** The files in a folder that git tracks, also those that were removed, and the folders they are in. Undefined: unknown. */
export function trackedEntries(
  folder: string,
  fileSystem: SearchableFileSystem,
): readonly FolderEntry[] | undefined {
  const repository = fileSystem.repositoryOf?.(folder)
  if (!repository?.files || repository.files.length > MAX_ENTRIES) return undefined
  // Git may be configured to show what has changed inside these, too.
  if (repository.submodules?.length !== 0) return undefined
  const start = startOf(folder, repository)
  const folders = new Set<string>()
  const files = repository.files.flatMap((name): FolderEntry[] => {
    if (!name.startsWith(start)) return []
    const path = name.slice(start.length)
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1))
      folders.add(path.slice(0, at))
    return [{ path, kind: 'file' }]
  })
  return [...[...folders].map((path): FolderEntry => ({ path, kind: 'folder' })), ...files]
}

/**
 * Whether a tracked file in a folder is the same as in the index, so that `git diff` shows nothing of it, or, if `named`, not even
 * its name.
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

/** Each is read. */
const MAX_COMPARED = 100

/** How the names of the files in a folder begin. */
function startOf(folder: string, { root }: Repository): string {
  const inner = folder.slice(root.length).replace(/^\//, '')
  return inner === '' ? '' : `${inner}/`
}
