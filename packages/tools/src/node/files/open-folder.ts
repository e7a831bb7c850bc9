import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { isOpenAt, descriptorPath, NO_FOLLOW } from './descriptor.ts'
import { errorCodeOf, swappedError } from './file-error.ts'
import type { FileSystemCalls } from './file-system-calls.ts'

/** An open folder: operations happen in this very folder, even if its path leads elsewhere by then. */
export interface OpenFolder {
  readonly path: string
  /** It was missing and has been created. */
  readonly made: boolean
  readonly handle: FileHandle
  /** The path of an entry. */
  at(name: string): string
  /** Whether entries are still reached in this folder; for an opened file, whether it is in it. */
  isStill(name?: string, opened?: FileHandle): Promise<boolean>
}

/** Opens an existing folder. */
export function openFolder(fs: FileSystemCalls, path: string): Promise<OpenFolder> {
  return openAt(fs, path, path, false)
}

/** Opens a subfolder, and creates it if it is missing. */
export async function enterFolder(
  fs: FileSystemCalls,
  parent: OpenFolder,
  name: string,
): Promise<OpenFolder> {
  let made = true
  try {
    await fs.mkdir(parent.at(name))
  } catch (error) {
    // Someone else has created it.
    if (errorCodeOf(error) !== 'EEXIST') throw error
    made = false
  }
  return openAt(fs, parent.at(name), join(parent.path, name), made)
}

async function openAt(
  fs: FileSystemCalls,
  place: string,
  path: string,
  made: boolean,
): Promise<OpenFolder> {
  const { O_RDONLY, O_DIRECTORY } = constants
  const handle = await fs.open(place, O_RDONLY | O_DIRECTORY | NO_FOLLOW)
  try {
    const own = await descriptorPath(fs, handle)
    // A path that starts at a descriptor cannot be swapped.
    const held = own !== undefined
    if (held ? own !== path : !(await isOpenAt(fs, handle, path))) throw swappedError(path)
    const base = held ? `/proc/self/fd/${handle.fd}` : path
    return {
      path,
      made,
      handle,
      at: (name) => `${base}/${name}`,
      isStill: async (name, opened) =>
        held ||
        (name !== undefined && opened !== undefined
          ? isOpenAt(fs, opened, join(path, name))
          : isOpenAt(fs, handle, path)),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}
