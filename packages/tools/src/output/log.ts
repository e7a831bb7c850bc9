import { constants } from 'node:fs'
import { type FileHandle, open, readdir, realpath, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '@toolglot/agent/internal'

/** A file that takes all that a command writes, up to a size. No one else can read it. */
export interface Log {
  readonly file: string
  /** Bytes written, or on their way. */
  readonly size: number
  /** More came than the file takes. */
  readonly isFull: boolean
  /** Comes back when it can take more. */
  write(bytes: Uint8Array): Promise<void> | undefined
  /** Comes back when everything written before is in the file. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** At most so many bytes wait to be written. */
const MAX_BACKLOG = 1 << 20

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
      isFull = true // The disk is: the command goes on, and it is said that not all is there.
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

/** The real folder of the logs, without those that are too old (in milliseconds). */
export async function logFolder(storage: string, age: number): Promise<string> {
  makeFolder(join(storage, 'logs'))
  const folder = await realpath(join(storage, 'logs'))
  for (const name of await readdir(folder)) {
    const file = join(folder, name)
    const found = await stat(file).catch(() => undefined) // Another one may clear the folder, too.
    if (found && Date.now() - found.mtimeMs > age) await rm(file, { force: true })
  }
  return folder
}
