import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { isOpenAt, descriptorPath, NO_FOLLOW } from './descriptor.ts'
import { errorCodeOf, swappedError } from './file-error.ts'
import type { FileSystemCalls } from './file-system-calls.ts'

/** A folder that is held open: what is done in it is done in that very folder, whatever its path leads to by then. */
export interface OpenFolder {
  readonly path: string
  /** It was not there, and was made to be entered. */
  readonly made: boolean
  readonly handle: FileHandle
  /** A path to a name in it. */
  at(name: string): string
  /** Whether its path, where its names can only be reached by that, leads to it; and a file opened in it lies in it. */
  isStill(name?: string, opened?: FileHandle): Promise<boolean>
}

export function openFolder(fs: FileSystemCalls, path: string): Promise<OpenFolder> {
  return openAt(fs, path, path, false)
}

/** The folder of a name in another; made if it is not there. */
export async function enterFolder(
  fs: FileSystemCalls,
  parent: OpenFolder,
  name: string,
): Promise<OpenFolder> {
  let made = true
  try {
    await fs.mkdir(parent.at(name))
  } catch (error) {
    // Someone else was faster.
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
    // Where a path can begin at a descriptor, nothing can be swapped underneath.
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
