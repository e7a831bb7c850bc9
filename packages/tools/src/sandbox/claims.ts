import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '@toolglot/agent/node/internal'
import { z } from 'zod'
import { ownIdentity, type ProcessIdentity } from '../process/process-identity.ts'

/** What one process needs in a folder, recorded for all others. Names are relative to that folder. */
export interface Claim {
  readonly maker: ProcessIdentity
  /** Placeholders it needs, each with its mark; null while it is being created. */
  readonly held: PlaceholderMarks
  /** Placeholders it is about to remove, unless another process needs them. */
  readonly removing: PlaceholderMarks
}

/** Marks of placeholders by name. */
export type PlaceholderMarks = Readonly<Record<string, string | null>>

/** The claims of all processes on a folder, in files outside of it. A file never changes; a new claim is a new file. */
export interface Claims {
  /** A consistent snapshot of the claims of other processes, ended or not, with their files. */
  others(): readonly RecordedClaim[]
  /** Replaces our own claim; undefined removes it. */
  write(claim: Omit<Claim, 'maker'> | undefined): void
  /** Removes the unfinished files of processes that were killed. */
  removeDrafts(): void
}

interface RecordedClaim {
  readonly claim: Claim
  readonly file: string
}

const marks = z.record(z.string(), z.string().nullable())
const shape = z.object({
  folder: z.string(),
  maker: z.object({
    pid: z.number(),
    started: z.number(),
    host: z.string(),
    boot: z.string(),
    namespace: z.string(),
  }),
  held: marks,
  removing: marks,
})

/** The claims on a folder, stored in the folder `records`. */
export function claimsIn(folder: string, records: string): Claims {
  const start = `${createHash('sha256').update(folder).digest('hex').slice(0, 32)}-`
  const own = `${start}${process.pid}-${randomBytes(8).toString('hex')}-`
  let turn = 0
  let current: { readonly text: string; readonly file: string } | undefined

  const list = (end = '.json'): string[] =>
    namesIn(records).filter(
      (name) => name.startsWith(start) && name.endsWith(end) && !name.startsWith(own),
    )
  const readAll = (names: readonly string[]): RecordedClaim[] =>
    names.flatMap((name) => {
      const file = join(records, name)
      const claim = readClaim(file)
      return claim?.folder === folder ? { claim, file } : []
    })

  return {
    others() {
      for (let before = list(); ;) {
        const found = readAll(before)
        const after = list()
        if (after.join() === before.join()) return found
        before = after
      }
    },
    write(claim) {
      const text = claim && JSON.stringify({ folder, maker: ownIdentity(), ...claim })
      if (text === current?.text) return
      const old = current
      if (text !== undefined) {
        const file = join(records, `${own}${++turn}.json`)
        makeFolder(records)
        writeFileSync(file + DRAFT, text, { mode: 0o600 })
        renameSync(file + DRAFT, file)
        current = { text, file }
      }
      if (old) rmSync(old.file, { force: true })
      if (text === undefined) current = undefined
    },
    removeDrafts() {
      for (const name of list(DRAFT)) {
        const file = join(records, name)
        const found = statSync(file, { throwIfNoEntry: false })
        if (found && Date.now() - found.mtimeMs > MAX_DRAFT_AGE) rmSync(file, { force: true })
      }
    },
  }
}

const DRAFT = '.new'
/** In milliseconds. Normally a draft is renamed within one. */
const MAX_DRAFT_AGE = 60_000

function namesIn(records: string): string[] {
  try {
    return readdirSync(records)
  } catch (error) {
    // There are no claims yet.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function readClaim(file: string): z.infer<typeof shape> | undefined {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined // Its process has removed it, or it is not ours.
  }
  return shape.safeParse(value).data
}
