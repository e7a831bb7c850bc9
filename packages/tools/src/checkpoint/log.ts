import { randomBytes } from 'node:crypto'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCodeOf } from '../node/files/file-error.ts'

/** One change of one file. */
export interface Entry {
  readonly path: string
  /** The hash of its bytes before; null: there was no file. */
  readonly before: string | null
  readonly after: string
  readonly folders?: readonly string[]
  readonly time: string
}

/** The changes of each run: a file with a line for each. */
export interface Log {
  append(run: string, entry: Entry): Promise<void>
  read(run: string): Promise<Entry[]>
  replace(run: string, entries: readonly Entry[]): Promise<void>
}

export function createLog(folder: string): Log {
  const pathOf = (run: string): string => {
    const name = encodeURIComponent(run)
    if (name === '' || name.length > 200)
      throw new TypeError(`Expected the id of a run, of 1 to 200 characters; got ${name.length}.`)
    return join(folder, `${name}.jsonl`)
  }

  return {
    append: (run, entry) => write(pathOf(run), 'a', lineOf(entry)),

    async read(run) {
      const text = await readFile(pathOf(run), 'utf8').catch((error: unknown) => {
        // The run changed nothing.
        if (errorCodeOf(error) === 'ENOENT') return ''
        throw error
      })
      return text.split('\n').flatMap(entryOf)
    },

    async replace(run, entries) {
      const path = pathOf(run)
      if (entries.length === 0) return rm(path, { force: true })
      const spare = `${path}.${randomBytes(6).toString('hex')}`
      await write(spare, 'wx', entries.map(lineOf).join(''))
      await rename(spare, path)
    },
  }
}

/** Begins on a line of its own, even behind one that was cut off. */
function lineOf(entry: Entry): string {
  return `\n${JSON.stringify(entry)}\n`
}

function entryOf(line: string): Entry[] {
  if (line === '') return []
  try {
    return [JSON.parse(line) as Entry]
  } catch {
    // It was being written when the process died: that change was never made.
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
