import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, openSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Thread } from './thread.ts'

/**
 * Who holds a run: `PID-RANDOM`, beside the journal a file of that name that its process locks as long as it lives. The
 * system gives the lock free when a process ends, however it ends, so neither clocks nor numbers that are used again
 * can mislead; it also holds between containers.
 */
export interface Holders {
  readonly own: string
  isAlive(holder: string): Promise<boolean>
  /** The others that live. What dead ones left behind is removed. */
  others(): Promise<readonly string[]>
  release(): void
}

export async function holdersOf(file: string, thread: Thread): Promise<Holders> {
  const fileOf = (holder: string): string => `${file}-${holder}.lock`
  let own = ''
  // Whoever tidies up may take a file away before it is locked.
  while (own === '' || !existsSync(fileOf(own))) {
    own = `${process.pid}-${randomUUID()}`
    closeSync(openSync(fileOf(own), 'wx', 0o600))
    if (!(await thread.lock(fileOf(own)))) own = ''
  }
  here.add(own)

  async function isAlive(holder: string, options = { remove: false }): Promise<boolean> {
    if (here.has(holder)) return true
    if (!HOLDER.test(holder) || !existsSync(fileOf(holder))) return false
    try {
      return await thread.isLocked(fileOf(holder), options)
    } catch (error) {
      // Somebody else found that it is dead, and removed it.
      if (!existsSync(fileOf(holder))) return false
      throw error
    }
  }

  return {
    own,
    isAlive,
    async others() {
      const start = `${basename(file)}-`
      const found: string[] = []
      for (const name of readdirSync(dirname(file))) {
        if (!name.startsWith(start) || !name.endsWith('.lock')) continue
        const holder = name.slice(start.length, -'.lock'.length)
        if (holder !== own && HOLDER.test(holder) && (await isAlive(holder, { remove: true })))
          found.push(holder)
      }
      return found
    },
    release() {
      here.delete(own)
      rmSync(fileOf(own), { force: true })
    },
  }
}

export function processOf(holder: string): string {
  return holder.slice(0, holder.indexOf('-'))
}

const HOLDER = /^\d+-[0-9a-f-]{36}$/

/** Those of this process: it must not look whether it has locked its own files, as that would unlock them. */
const here = new Set<string>()
