import { createHash, randomBytes } from 'node:crypto'
import { open, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readBytes } from '@toolglot/permissions/node/internal'
import { MAX_WHOLE_BYTES } from '../file/limits.ts'
import { errorCodeOf } from '../node/files/file-error.ts'

/** Stores bytes by their hash. */
export interface Blobs {
  put(hash: string, bytes: Uint8Array): Promise<void>
  /** Undefined if the bytes are missing or no longer match their hash. */
  get(hash: string): Promise<Uint8Array | undefined>
}

/** The SHA-256 of some bytes, which is their name among the blobs. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Stores blobs as files in a folder. */
export function createBlobs(folder: string): Blobs {
  return {
    async put(hash, bytes) {
      const path = join(folder, hash)
      if (await exists(path)) return
      const temporary = `${path}.${randomBytes(6).toString('hex')}`
      const handle = await open(temporary, 'wx', 0o600)
      try {
        await handle.writeFile(bytes)
        await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(temporary, path)
    },

    async get(hash) {
      const bytes = readBytes(join(folder, hash), MAX_WHOLE_BYTES)
      return bytes && hashOf(bytes) === hash ? bytes : undefined
    },
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    // Expected: there is no such blob yet.
    if (errorCodeOf(error) === 'ENOENT') return false
    throw error
  }
}
