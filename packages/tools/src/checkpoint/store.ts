import { randomBytes, createHash } from 'node:crypto'
import { open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readSmallFile, readBytes } from '@toolglot/permissions/node/internal'
import { MAX_WHOLE_BYTES } from '../file/load.ts'
import { errorCodeOf } from '../node/files/file-system-calls.ts'

/** One change to one file, as stored. */
export interface ChangeEntry {
  readonly path: string
  /** Hash of the content before the change; null if the file did not exist. */
  readonly before: string | null
  readonly after: string
  readonly folders?: readonly string[]
  readonly time: string
  /** The id of the call that made it. */
  readonly call: string
}

/** The changes of each run: one file per run, one line per change. */
interface ChangeLog {
  append(run: string, entry: ChangeEntry): Promise<void>
  read(run: string): Promise<ChangeEntry[]>
  replace(run: string, entries: readonly ChangeEntry[]): Promise<void>
}

/** Keeps change logs as files in a folder. */
export function createChangeLog(folder: string): ChangeLog {
  const pathOf = (run: string): string => {
    const name = encodeURIComponent(run)
    if (name === '' || name.length > 200)
      throw new TypeError(`A run id must have 1 to 200 characters, not ${name.length}.`)
    return join(folder, `${name}.jsonl`)
  }

  return {
    append: (run, entry) => write(pathOf(run), 'a', lineOf(entry)),

    async read(run) {
      // If there is no file, the run changed no files.
      const text = readSmallFile(pathOf(run), MAX_LOG_BYTES) ?? ''
      return text.split('\n').flatMap(entryOf)
    },

    async replace(run, entries) {
      const path = pathOf(run)
      if (entries.length === 0) return rm(path, { force: true })
      const temporary = `${path}.${randomBytes(6).toString('hex')}`
      await write(temporary, 'wx', entries.map(lineOf).join(''))
      await rename(temporary, path)
    },
  }
}

const MAX_LOG_BYTES = 64 << 20

/** Starts with a line break, so that a previous line that was cut off cannot swallow it. */
function lineOf(entry: ChangeEntry): string {
  return `\n${JSON.stringify(entry)}\n`
}

function entryOf(line: string): ChangeEntry[] {
  if (line === '') return []
  try {
    return [JSON.parse(line) as ChangeEntry]
  } catch {
    // The process died while writing this line, so the change was never made.
    return []
  }
}

async function write(path: string, flags: string, text: string): Promise<void> {
  const handle = await open(path, flags, 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

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
