import type { FileHandle } from 'node:fs/promises'
import { codeOf } from './file-error.ts'
import type { System } from './system.ts'

/**
 * Whether an open descriptor is what a real path names: a link that was swapped in on the way, and out again, would have
 * led it elsewhere.
 */
export async function isAt(system: System, handle: FileHandle, path: string): Promise<boolean> {
  const own = await ownPath(system, handle)
  return own === undefined ? isSameFile(system, handle, path) : own === path
}

/** The path the system has for a descriptor; undefined where it does not tell, as on macOS. */
export async function ownPath(system: System, handle: FileHandle): Promise<string | undefined> {
  try {
    return await system.readlink(`/proc/self/fd/${handle.fd}`)
  } catch (error) {
    // There is no /proc.
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

async function isSameFile(system: System, handle: FileHandle, path: string): Promise<boolean> {
  try {
    const opened = await handle.stat({ bigint: true })
    if ((await system.realpath(path)) !== path) return false
    const named = await system.lstat(path, { bigint: true })
    return opened.dev === named.dev && opened.ino === named.ino
  } catch (error) {
    // It went away in the meantime.
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}
