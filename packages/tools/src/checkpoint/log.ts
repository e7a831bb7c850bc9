import { randomBytes } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readSmallFile } from '@toolglot/permissions/node/internal'

/** One change of one file, as stored. */
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

/** The changes of each run: one file a run, one line a change. */
export interface ChangeLog {
  append(run: string, entry: ChangeEntry): Promise<void>
  read(run: string): Promise<ChangeEntry[]>
  replace(run: string, entries: readonly ChangeEntry[]): Promise<void>
}

/** Keeps change logs as files in a folder. */
export function createChangeLog(folder: string): ChangeLog {
  const pathOf = (run: string): string => {
    const name = encodeURIComponent(run)
    if (name === '' || name.length > 200)
      throw new TypeError(`Expected a run id of 1 to 200 characters, got ${name.length}.`)
    return join(folder, `${name}.jsonl`)
  }

  return {
    append: (run, entry) => write(pathOf(run), 'a', lineOf(entry)),

    async read(run) {
      // Without a file, the run changed nothing.
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
