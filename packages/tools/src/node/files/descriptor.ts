import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { errorCodeOf } from './file-error.ts'
import type { FileSystemCalls } from './file-system-calls.ts'

/**
 * Whether an open descriptor is what a real path names: a link that was swapped in on the way, and out again, would have
 * led it elsewhere.
 */
export async function isOpenAt(
  fs: FileSystemCalls,
  handle: FileHandle,
  path: string,
): Promise<boolean> {
  const own = await descriptorPath(fs, handle)
  return own === undefined ? isSameFile(fs, handle, path) : own === path
}

/** The path the system has for a descriptor; undefined where it does not tell, as on macOS. */
export async function descriptorPath(
  fs: FileSystemCalls,
  handle: FileHandle,
): Promise<string | undefined> {
  try {
    return await fs.readlink(`/proc/self/fd/${handle.fd}`)
  } catch (error) {
    // There is no /proc.
    if (errorCodeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Who swaps links in and out again would have to be in step with every look. */
const COMPARISONS = 4

async function isSameFile(fs: FileSystemCalls, handle: FileHandle, path: string): Promise<boolean> {
  const opened = await handle.stat({ bigint: true })
  try {
    for (let look = 0; look < COMPARISONS; look++) {
      if ((await fs.realpath(path)) !== path) return false
      const named = await fs.lstat(path, { bigint: true })
      if (opened.dev !== named.dev || opened.ino !== named.ino) return false
    }
    return true
  } catch (error) {
    // It went away in the meantime.
    if (['ENOENT', 'ENOTDIR'].includes(errorCodeOf(error) ?? '')) return false
    throw error
  }
}

/** macOS can refuse a link anywhere on the way (O_NOFOLLOW_ANY, which Node does not name); others only the last one. */
export const NO_FOLLOW: number = process.platform === 'darwin' ? 0x20000000 : constants.O_NOFOLLOW
