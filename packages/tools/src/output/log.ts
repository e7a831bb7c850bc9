import { constants } from 'node:fs'
import { type FileHandle, open, readdir, realpath, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '@toolglot/agent/node/internal'

/**
 * A file that receives the output of a command, up to a maximum size. No other user can read it.
 */
export interface Log {
  readonly file: string
  /** Bytes written or queued. */
  readonly size: number
  /** True if output was dropped. */
  readonly isFull: boolean
  /** Returns a promise if the caller has to wait before writing more. */
  write(bytes: Uint8Array): Promise<void> | undefined
  /** Waits until all data written so far is in the file. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** The maximum number of queued bytes. */
const MAX_BACKLOG = 1 << 20

/** Creates a log file that takes at most `limit` bytes. */
export async function openLog(file: string, limit: number): Promise<Log> {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
  const handle = await open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  let size = 0
  let waiting = 0
  let isFull = false
  let written = Promise.resolve()
  let isClosed = false

  async function put(bytes: Uint8Array): Promise<void> {
    try {
      if (!isFull || bytes.length > 0) await writeAll(handle, bytes)
    } catch {
      isFull = true // The disk is full. The command continues, and the result reports the missing output.
    } finally {
      waiting -= bytes.length
    }
  }

  return {
    file,
    get size() {
      return size
    },
    get isFull() {
      return isFull
    },
    write(bytes) {
      const taken = isFull ? bytes.subarray(0, 0) : bytes.subarray(0, Math.max(0, limit - size))
      if (taken.length < bytes.length) isFull = true
      if (taken.length === 0) return undefined
      size += taken.length
      waiting += taken.length
      written = written.then(() => put(taken))
      return waiting > MAX_BACKLOG ? written : undefined
    },
    async flush() {
      await written
    },
    async close() {
      await written
      if (!isClosed) await handle.close()
      isClosed = true
    },
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;)
    done += (await handle.write(bytes, done, bytes.length - done)).bytesWritten
}

/** The folder for logs in the storage. */
export function logFolderIn(storage: string): string {
  return join(storage, 'logs')
}

/** The real path of the log folder. Removes logs older than `age` milliseconds. */
export async function logFolder(storage: string, age: number): Promise<string> {
  makeFolder(logFolderIn(storage))
  const folder = await realpath(logFolderIn(storage))
  for (const name of await readdir(folder)) {
    const file = join(folder, name)
    const found = await stat(file).catch(() => undefined) // Another process may have removed the log.
    if (found && Date.now() - found.mtimeMs > age) await rm(file, { force: true })
  }
  return folder
}
