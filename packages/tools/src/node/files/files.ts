import type { FileSystemView } from '@toolglot/permissions'
import type { Entry, Files, Reach } from '../../host/files.ts'
import { fileError, swapped } from './file-error.ts'
import { openFolder } from './open-folder.ts'
import { createLocks } from './lock.ts'
import { look, openFile } from './open-file.ts'
import { placeOf } from './resolve-path.ts'
import { removeFile } from './remove.ts'
import { replaceFile } from './replace.ts'
import { nodeSystem, type System } from './file-system-calls.ts'

/**
 * The files of this machine. A path is followed once; what was found is opened without following a link, and by its
 * descriptor it is made sure that it is what was found, before a byte of it is used.
 */
export function nodeFiles(fileSystem: FileSystemView, system: System = nodeSystem): Files {
  const locked = createLocks()
  return {
    stat: (path, reach) => explained(path, () => look(system, fileSystem, path, reach)),
    open: (path, reach) => explained(path, () => openFile(system, fileSystem, path, reach)),
    list: (path, reach) => explained(path, () => list(path, reach)),
    replace: (path, bytes, options) =>
      explained(path, () => replaceFile(system, fileSystem, path, bytes, options)),
    remove: (path, options) => explained(path, () => removeFile(system, fileSystem, path, options)),
    lock: (path, options) =>
      explained(path, async () => {
        const place = await placeOf(system, fileSystem, path, options)
        return locked(place.path, options?.signal)
      }),
  }

  async function list(path: string, reach?: Reach): Promise<Entry[]> {
    const place = await placeOf(system, fileSystem, path, reach)
    const folder = await openFolder(system, place.path)
    try {
      const entries: Entry[] = []
      for (const entry of await system.readdir(folder.at('.'), { withFileTypes: true })) {
        const isFolder = entry.isSymbolicLink()
          ? await leadsToFolder(folder.at(entry.name))
          : entry.isDirectory()
        entries.push({ name: entry.name, folder: isFolder })
      }
      if (!(await folder.isStill())) throw swapped(path)
      return entries
    } finally {
      await folder.handle.close()
    }
  }

  async function leadsToFolder(path: string): Promise<boolean> {
    try {
      return (await system.stat(path)).isDirectory()
    } catch {
      // It leads nowhere, or where nobody may look: a name like any other.
      return false
    }
  }
}

async function explained<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw fileError(error, path)
  }
}
