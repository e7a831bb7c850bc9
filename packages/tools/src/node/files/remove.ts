import { basename, dirname } from 'node:path'
import type { FileSystemView } from '@toolglot/permissions'
import { isSame, type RemoveOptions } from '../../host/files.ts'
import { changed } from './file-error.ts'
import { factsOf } from './file-facts.ts'
import { openFolder } from './open-folder.ts'
import { mustBeFile } from './open-file.ts'
import { placeOf } from './resolve-path.ts'
import type { System } from './file-system-calls.ts'

/** Removes a file that is still as it was looked at, by the folder it was found in. */
export async function removeFile(
  system: System,
  fileSystem: FileSystemView,
  path: string,
  options: RemoveOptions,
): Promise<void> {
  const place = await placeOf(system, fileSystem, path, options)
  const folder = await openFolder(system, place.folder)
  try {
    const name = basename(place.path)
    const now = factsOf(await system.lstat(folder.at(name), { bigint: true }), place.path)
    mustBeFile(now)
    if (!isSame(options.before, now)) throw changed(path)
    await system.unlink(folder.at(name))
    await folder.handle.sync()
  } finally {
    await folder.handle.close()
  }
  for (const each of options.folders ?? []) if (!(await removeIfEmpty(system, each))) return
}

async function removeIfEmpty(system: System, path: string): Promise<boolean> {
  try {
    const parent = await openFolder(system, dirname(path))
    try {
      await system.rmdir(parent.at(basename(path)))
      return true
    } finally {
      await parent.handle.close()
    }
  } catch {
    // It holds something by now, or is another thing: then it stays, and what is around it.
    return false
  }
}
