import { randomBytes } from 'node:crypto'
import { open, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hashOf } from '../file/hash.ts'
import { errorCodeOf } from '../node/files/file-error.ts'

/** Bytes by their hash. */
export interface Blobs {
  put(hash: string, bytes: Uint8Array): Promise<void>
  /** Undefined if they are gone, or no longer what they were. */
  get(hash: string): Promise<Uint8Array | undefined>
}

export function createBlobs(folder: string): Blobs {
  return {
    async put(hash, bytes) {
      const path = join(folder, hash)
      if (await exists(path)) return
      const spare = `${path}.${randomBytes(6).toString('hex')}`
      const handle = await open(spare, 'wx', 0o600)
      try {
        await handle.writeFile(bytes)
        await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(spare, path)
    },

    async get(hash) {
      try {
        const bytes = await readFile(join(folder, hash))
        return hashOf(bytes) === hash ? bytes : undefined
      } catch (error) {
        // Someone cleaned up.
        if (errorCodeOf(error) === 'ENOENT') return undefined
        throw error
      }
    },
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    // Nothing is there yet.
    if (errorCodeOf(error) === 'ENOENT') return false
    throw error
  }
}
