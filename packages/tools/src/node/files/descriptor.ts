import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { errorCodeOf } from './file-error.ts'
import type { FileSystemCalls } from './file-system-calls.ts'

/**
 * Whether an open descriptor is the file at a real path. If a link was swapped in while it was opened, and out again, it
 * is not.
 */
export async function isOpenAt(
  fs: FileSystemCalls,
  handle: FileHandle,
  path: string,
): Promise<boolean> {
  const own = await descriptorPath(fs, handle)
  return own === undefined ? isSameFile(fs, handle, path) : own === path
}

/** The path that the system reports for a descriptor; undefined if it does not, as on macOS. */
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

/** An attacker who swaps links in and out would have to hit the right moment every time. */
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
    // It was removed in the meantime.
    if (['ENOENT', 'ENOTDIR'].includes(errorCodeOf(error) ?? '')) return false
    throw error
  }
}

/** Open flag that refuses links: on macOS anywhere in the path (O_NOFOLLOW_ANY, which Node lacks), elsewhere only the last. */
export const NO_FOLLOW: number = process.platform === 'darwin' ? 0x20000000 : constants.O_NOFOLLOW
