import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '@toolglot/agent/node/internal'
import { readSmallFile } from '@toolglot/permissions/node/internal'
import { z } from 'zod'
import { hasEnded, ownIdentity } from '../process/process-identity.ts'
import type { KnownEntries } from './new-entries.ts'

/** A record on disk of the protected entries of a folder while commands run there, in case this process is killed. */
export interface GuardRecord {
  write(known: KnownEntries): void
  /** Notes that commands run, and will run for some milliseconds more. */
  extend(duration: number): void
  remove(): void
}

/** What a killed process left. */
export interface LeftRecord {
  readonly known: KnownEntries
  /** When its commands ended, in milliseconds since 1970. */
  readonly to: number
  remove(): void
}

const link = z.object({ target: z.string(), real: z.string(), id: z.string(), key: z.string() })
const shape = z.object({
  folder: z.string(),
  maker: z.object({
    pid: z.number(),
    started: z.number(),
    host: z.string(),
    boot: z.string(),
    namespace: z.string(),
  }),
  known: z.array(
    z.tuple([
      z.string(),
      z.object({ path: z.string(), link: link.optional(), inGitFolder: z.string().optional() }),
    ]),
  ),
})

const prefixFor = (folder: string): string =>
  `${createHash('sha256').update(folder).digest('hex').slice(0, 32)}-`

/** A new record for commands of this process in a folder. */
export function guardRecord(folder: string, records: string): GuardRecord {
  const name = `${prefixFor(folder)}${process.pid}-${randomBytes(8).toString('hex')}.json`
  const file = join(records, name)
  return {
    write(known) {
      makeFolder(records)
      const text = JSON.stringify({ folder, maker: ownIdentity(), known: [...known] })
      try {
        writeFileSync(`${file}.new`, text, { mode: 0o600 })
        renameSync(`${file}.new`, file)
      } catch (error) {
        rmSync(`${file}.new`, { force: true })
        throw error
      }
    },
    extend(duration) {
      const until = new Date(Date.now() + duration)
      utimesSync(file, until, until)
    },
    remove() {
      rmSync(file, { force: true })
    },
  }
}

/** Whether commands of another process run in a folder. */
export function isGuardedElsewhere(folder: string, records: string): boolean {
  return namesIn(records).some(
    (name) =>
      name.startsWith(prefixFor(folder)) && !name.startsWith(`${prefixFor(folder)}${process.pid}-`),
  )
}

/** The records of killed processes. */
export function leftRecords(folder: string, records: string): LeftRecord[] {
  return namesIn(records)
    .filter((name) => name.startsWith(prefixFor(folder)) && name.endsWith('.json'))
    .flatMap((name) => readRecord(join(records, name), folder) ?? [])
}

function readRecord(file: string, folder: string): LeftRecord | undefined {
  try {
    const read = shape.parse(JSON.parse(readSmallFile(file, MAX_BYTES) ?? ''))
    if (read.folder !== folder || !hasEnded(read.maker)) return undefined
    const known = new Map(read.known) as KnownEntries
    const to = statSync(file).mtimeMs
    return { known, to, remove: () => rmSync(file, { force: true }) }
  } catch {
    return undefined // Its process has removed it, or it is not ours.
  }
}

const MAX_BYTES = 10_000_000

function namesIn(records: string): string[] {
  try {
    return readdirSync(records)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
