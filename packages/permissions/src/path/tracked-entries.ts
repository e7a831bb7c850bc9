import type { FolderEntry } from '../decide/file-system.ts'
import type { SearchableFileSystem } from '../decide/look-up.ts'

/** More files are not compared with rules. */
const MAX_FILES = 20_000

/** The files in a folder that git tracks, also those that were removed, and the folders they are in. Undefined: unknown. */
export function trackedEntries(
  folder: string,
  fileSystem: SearchableFileSystem,
): readonly FolderEntry[] | undefined {
  const repository = fileSystem.repositoryOf?.(folder)
  if (!repository?.files || repository.files.length > MAX_FILES) return undefined
  // Git may be configured to show what has changed inside these, too.
  if (repository.submodules?.length !== 0) return undefined
  const inner = folder.slice(repository.root.length).replace(/^\//, '')
  const start = inner === '' ? '' : `${inner}/`
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
