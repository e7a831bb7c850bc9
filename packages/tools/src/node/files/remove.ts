import { basename, dirname } from 'node:path'
import type { FileSystemView } from '@toolglot/permissions'
import { isUnchanged, type RemoveOptions } from '../../host/files.ts'
import { changedError } from './file-error.ts'
import { factsOf } from './file-facts.ts'
import { openFolder } from './open-folder.ts'
import { assertPlainFile } from './open-file.ts'
import { resolveAllowed } from './resolve-path.ts'
import type { FileSystemCalls } from './file-system-calls.ts'

/** Removes a file that has not changed, through its open folder. */
export async function removeFile(
  fs: FileSystemCalls,
  fileSystem: FileSystemView,
  path: string,
  options: RemoveOptions,
): Promise<void> {
  const resolved = await resolveAllowed(fs, fileSystem, path, options)
  const folder = await openFolder(fs, resolved.folder)
  try {
    const name = basename(resolved.path)
    const now = factsOf(await fs.lstat(folder.at(name), { bigint: true }), resolved.path)
    assertPlainFile(now)
    if (!isUnchanged(options.before, now)) throw changedError(path)
    await fs.unlink(folder.at(name))
    await folder.handle.sync()
  } finally {
    await folder.handle.close()
  }
  for (const each of options.folders ?? []) if (!(await removeIfEmpty(fs, each))) return
}

async function removeIfEmpty(fs: FileSystemCalls, path: string): Promise<boolean> {
  try {
    const parent = await openFolder(fs, dirname(path))
    try {
      await fs.rmdir(parent.at(basename(path)))
      return true
    } finally {
      await parent.handle.close()
    }
  } catch {
    // It is not empty or not a folder: it stays, and so do its parents.
    return false
  }
}
