import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder that only its owner may enter, and the folders on the way to it. Node's own `recursive` never ends
 * where a folder is there but says that it is not when something is made in it, as `/proc` does.
 */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (isFolder(folder)) return
    const parent = dirname(folder)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || isFolder(parent)) throw error
    makeFolder(parent)
    // Someone else may be faster, which is as well.
    if (!isFolder(folder)) makeFolder(folder)
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  } catch {
    return false // A file is on the way, or it may not be looked at.
  }
}
