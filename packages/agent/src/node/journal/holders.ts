import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, openSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { DatabaseThread } from './database-thread.ts'

/**
 * The processes that hold runs. A holder is `PID-RANDOM`. It has a lock file of that name next to
 * the journal, which its process keeps locked. The operating system releases the lock when the
 * process ends for any reason, so neither clocks nor reused process ids matter. This also works
 * between containers.
 */
export interface Holders {
  /** The holder for this process and journal. */
  readonly own: string
  isAlive(holder: string): Promise<boolean>
  /** Returns the other live holders. Removes the lock files of dead holders. */
  others(): Promise<readonly string[]>
  release(): void
}

/** Creates and locks the lock file of this process. */
export async function registerHolder(file: string, thread: DatabaseThread): Promise<Holders> {
  const fileOf = (holder: string): string => `${file}-${holder}.lock`
  let own = ''
  // Another process may remove the file as stale before it is locked, so try again.
  while (own === '' || !existsSync(fileOf(own))) {
    own = `${process.pid}-${randomUUID()}`
    closeSync(openSync(fileOf(own), 'wx', 0o600))
    if (!(await thread.lock(fileOf(own)))) own = ''
  }
  ownHolders.add(own)

  async function isAlive(holder: string, options = { remove: false }): Promise<boolean> {
    if (ownHolders.has(holder)) return true
    if (!HOLDER.test(holder) || !existsSync(fileOf(holder))) return false
    try {
      return await thread.isLocked(fileOf(holder), options)
    } catch (error) {
      // Another process already removed the file of this dead holder.
      if (!existsSync(fileOf(holder))) return false
      throw error
    }
  }

  return {
    own,
    isAlive,
    async others() {
      const prefix = `${basename(file)}-`
      const found: string[] = []
      for (const name of readdirSync(dirname(file))) {
        if (!name.startsWith(prefix) || !name.endsWith('.lock')) continue
        const holder = name.slice(prefix.length, -'.lock'.length)
        if (holder !== own && HOLDER.test(holder) && (await isAlive(holder, { remove: true })))
          found.push(holder)
      }
      return found
    },
    release() {
      ownHolders.delete(own)
      rmSync(fileOf(own), { force: true })
    },
  }
}

/** The process id of a holder. */
export function processIdOf(holder: string): string {
  return holder.slice(0, holder.indexOf('-'))
}

const HOLDER = /^\d+-[0-9a-f-]{36}$/

/**
 * The holders of this process. Checking the locks of this process's own files would release them,
 * because the check closes the files.
 */
const ownHolders = new Set<string>()
