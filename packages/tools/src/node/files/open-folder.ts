import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { isAt, ownPath, NO_FOLLOW } from './descriptor.ts'
import { codeOf, swapped } from './file-error.ts'
import type { System } from './file-system-calls.ts'

/** A folder that is held open: what is done in it is done in that very folder, whatever its path leads to by then. */
export interface Folder {
  readonly path: string
  /** It was not there, and was made to be entered. */
  readonly made: boolean
  readonly handle: FileHandle
  /** A path to a name in it. */
  at(name: string): string
  /** Whether its path, where its names can only be reached by that, leads to it; and a file opened in it lies in it. */
  isStill(name?: string, opened?: FileHandle): Promise<boolean>
}

export function openFolder(system: System, path: string): Promise<Folder> {
  return hold(system, path, path, false)
}

/** The folder of a name in another; made if it is not there. */
export async function enterFolder(system: System, parent: Folder, name: string): Promise<Folder> {
  let made = true
  try {
    await system.mkdir(parent.at(name))
  } catch (error) {
    // Someone else was faster.
    if (codeOf(error) !== 'EEXIST') throw error
    made = false
  }
  return hold(system, parent.at(name), join(parent.path, name), made)
}

async function hold(system: System, place: string, path: string, made: boolean): Promise<Folder> {
  const { O_RDONLY, O_DIRECTORY } = constants
  const handle = await system.open(place, O_RDONLY | O_DIRECTORY | NO_FOLLOW)
  try {
    const own = await ownPath(system, handle)
    // Where a path can begin at a descriptor, nothing can be swapped underneath.
    const held = own !== undefined
    if (held ? own !== path : !(await isAt(system, handle, path))) throw swapped(path)
    const base = held ? `/proc/self/fd/${handle.fd}` : path
    return {
      path,
      made,
      handle,
      at: (name) => `${base}/${name}`,
      isStill: async (name, opened) =>
        held ||
        (name !== undefined && opened !== undefined
          ? isAt(system, opened, join(path, name))
          : isAt(system, handle, path)),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}
