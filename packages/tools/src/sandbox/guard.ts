import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ToolError } from '@toolglot/agent'
import { describeThrown } from '@toolglot/agent/internal'
import { isInside } from '../paths/inside.ts'
import {
  asideFolder,
  bringIntoStore,
  forgetRestored,
  isRenamedAside,
  type MovedAside,
  restoredIds,
} from './aside.ts'
import {
  type GuardRecord,
  guardRecord,
  isGuardedElsewhere,
  leftRecords,
  type KnownEntries,
  moveNewEntries,
} from './new-entries.ts'
import { type ProtectedEntries, ProtectedEntrySearch } from './protected-entries.ts'
import { idOf, type ProtectedEntry, tryStat } from './protected-entry.ts'

/** Guards the protected entries of some folders while a command runs. */
export interface Guard {
  readonly protection: Protection
  /** Must be called when the command has ended: entries that it created are moved aside. */
  release(): Promise<void>
}

/** Paths that a sandbox must protect. */
export interface Protection {
  /** Folders that commands can write to but not move. */
  readonly pinned: readonly string[]
  readonly readOnly: readonly string[]
}

/** Options for `guardFolders`. */
export interface GuardOptions {
  /** The folder with the records of running commands. */
  readonly records: string
  /** Called with notes about entries that were moved aside, for the user and the model. */
  readonly onNotes: (notes: readonly string[]) => void
  /** Called if the command keeps creating protected entries. */
  readonly onFlood: () => void
}

/**
 * Starts guarding folders for one command. Throws if that isn't possible; the command must not run
 * then.
 */
export async function guardFolders(
  roots: readonly string[],
  options: GuardOptions,
): Promise<Guard> {
  const guards: Entered[] = []
  const release = async (): Promise<void> => {
    await Promise.all(guards.map(({ leave }) => leave()))
  }
  for (const root of roots) {
    try {
      guards.push(await guardOf(root, options.records).enter(options))
    } catch (error) {
      await release()
      throw new ToolError(
        'execution_failed',
        `Could not guard the protected files in ${root}: ${describeThrown(error)}.`,
        { code: 'sandbox', path: root },
      )
    }
  }
  const entries = guards.flatMap(({ found }) => found.entries)
  return {
    protection: {
      pinned: guards.flatMap(({ found }) => found.pinned),
      readOnly: entries.flatMap((entry) => protectedPath(entry, roots)),
    },
    release,
  }
}

function protectedPath(
  { path, link, isGitFolder }: ProtectedEntry,
  roots: readonly string[],
): string[] {
  if (isGitFolder) return []
  if (!link) return [path]
  return link.id !== '' && roots.some((root) => isInside(link.real, root)) ? [link.real] : []
}

/** Keeps a file that a tool writes with approval while commands are running. */
export function allowProtected(path: string): void {
  for (const guard of guards.values()) guard.allow(path)
}

/**
 * Moves aside entries that commands of killed processes created in these folders. Returns notes.
 */
export async function recoverFolders(
  roots: readonly string[],
  records: string,
): Promise<readonly string[]> {
  const found = await Promise.all(roots.map((root) => guardOf(root, records).recover()))
  return found.flat()
}

const guards = new Map<string, FolderGuard>()

function guardOf(root: string, records: string): FolderGuard {
  const key = `${records}\0${root}`
  const guard = guards.get(key) ?? new FolderGuard(root, records)
  guards.set(key, guard)
  return guard
}

interface Entered {
  readonly found: ProtectedEntries
  readonly leave: () => Promise<void>
}

interface Session {
  readonly options: GuardOptions
  /** The number of entries moved aside, and the number of notes about them (`noted`). */
  moved: number
  noted: number
}

/** The minimum interval, in milliseconds. */
const INTERVAL = 1000
/** The maximum share of time for searching. */
const SHARE = 1 / 20
/**
 * The maximum number of entries moved aside for one command. A command that creates more is
 * stopped.
 */
const MAX_MOVED = 20
/** The maximum number of repeated searches after finding entries. */
const MAX_ROUNDS = 100
/**
 * The time after its last sign of life in which a killed process may have created entries, in
 * milliseconds.
 */
const SLACK = 3000

/** Shortens a list of notes, and mentions the omitted ones. */
function shortened(notes: readonly string[]): readonly string[] {
  const more = notes.length - MAX_MOVED
  if (more <= 0) return notes
  const rest = `${more} more notes like these were left out. toolglot restore lists everything that was moved.`
  return [...notes.slice(0, MAX_MOVED), rest]
}

/** The guard of one folder, shared by all commands of this process. */
class FolderGuard {
  readonly #root: string
  readonly #records: string
  readonly #search: ProtectedEntrySearch
  readonly #sessions = new Set<Session>()
  readonly #allowed = new Set<string>()
  readonly #reported = new Set<string>()
  /** Files and folders that could only be renamed. */
  #renamed: MovedAside[] = []
  readonly #unmoved = new Set<string>()
  #known: KnownEntries = new Map()
  #record: GuardRecord | undefined
  #timer: NodeJS.Timeout | undefined
  /** The duration of the last search, in milliseconds. */
  #took = 0
  /** Searches run one after another. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(root: string, records: string) {
    this.#root = root
    this.#records = records
    this.#search = new ProtectedEntrySearch(root, dirname(records), (path) => this.#isAside(path))
  }

  enter(options: GuardOptions): Promise<Entered> {
    return this.#alone(async () => {
      if (this.#sessions.size === 0) options.onNotes(await this.#recover())
      const found = await this.#check(true)
      const session = { options, moved: 0, noted: 0 }
      this.#sessions.add(session)
      try {
        this.#record ??= guardRecord(this.#root, this.#records)
        this.#record.write(this.#known)
      } catch (error) {
        this.#end(session)
        throw error
      }
      this.#schedule(INTERVAL)
      return { found, leave: () => this.#leave(session) }
    })
  }

  recover(): Promise<string[]> {
    return this.#alone(async () => (this.#sessions.size > 0 ? [] : await this.#recover()))
  }

  allow(path: string): void {
    if (this.#sessions.size > 0 && isInside(path, this.#root)) this.#allowed.add(path)
  }

  #leave(session: Session): Promise<void> {
    return this.#alone(async () => {
      if (!this.#sessions.has(session)) return
      try {
        await this.#check(false)
      } catch (error) {
        const note = `Protected files could not be checked: ${describeThrown(error)}.`
        session.options.onNotes([note])
      }
      this.#end(session)
      await this.#bringIn()
    })
  }

  #end(session: Session): void {
    this.#sessions.delete(session)
    if (this.#sessions.size > 0) return
    clearTimeout(this.#timer)
    this.#record?.remove()
    this.#record = undefined
    this.#allowed.clear()
  }

  /** Copies renamed files to the store, once no command can change them any more. */
  async #bringIn(): Promise<void> {
    if (this.#sessions.size > 0 || isGuardedElsewhere(this.#root, this.#records)) return
    for (const item of this.#renamed.splice(0)) await bringIntoStore(item, this.#store)
  }

  #isAside(path: string): boolean {
    return this.#renamed.some(({ at }) => at === path) || isRenamedAside(path, this.#store)
  }

  /**
   * Moves new entries aside if commands are running. Otherwise, all existing entries become known.
   */
  async #check(isStart: boolean, rounds = MAX_ROUNDS): Promise<ProtectedEntries> {
    const began = performance.now()
    const found = await this.#search.search({ isStart })
    this.#took = performance.now() - began
    if (this.#sessions.size === 0) {
      const unmoved = this.#unmoved.has(this.#root)
        ? { path: `a file in ${this.#root}` }
        : found.entries.find(({ path }) => this.#unmoved.has(path))
      if (unmoved)
        throw new Error(
          `${unmoved.path} was created by a command, and can't be moved away. Remove it`,
        )
      this.#known = new Map(found.entries.map((entry) => [entry.key, entry]))
      this.#reported.clear()
      this.#unmoved.clear()
      return found
    }
    // A file that was moved to an unsearched place isn't protected there, so it counts as new if it
    // is moved back.
    const before = new Set(this.#known.keys())
    const present = new Set(found.entries.map(({ key }) => key))
    for (const [key, { link }] of this.#known)
      if (!link && !present.has(key)) this.#known.delete(key)
    const notes = await this.#moveNew(found, this.#known, (entry) => this.#isAllowed(entry))
    const isChanged =
      this.#known.size !== before.size || [...this.#known.keys()].some((key) => !before.has(key))
    if (isChanged) this.#record?.write(this.#known)
    if (notes.length === 0) return found
    if (rounds === 0) this.#unmoved.add(this.#root)
    for (const session of this.#sessions) {
      session.options.onNotes(shortened(notes))
      session.noted += notes.length
      if (session.noted > MAX_MOVED) session.options.onFlood()
    }
    // A folder that was made readable, or a restored link, may lead to more entries.
    return rounds === 0 ? found : await this.#check(isStart, rounds - 1)
  }

  /** Moves aside entries that commands of killed processes created. */
  async #recover(): Promise<string[]> {
    const left = leftRecords(this.#root, this.#records)
    forgetRestored(this.#store)
    const notes: string[] = []
    for (const record of left) {
      const { known, to } = record
      const found = await this.#search.search({ isStart: false })
      // An older entry that isn't known was moved here, perhaps inside a folder.
      const isLater = ({ path }: ProtectedEntry): boolean => {
        const { birthtimeMs, ctimeMs = 0 } = tryStat(path) ?? {}
        // Some file systems don't record the creation time of files.
        return Math.min(birthtimeMs || ctimeMs, ctimeMs) > to + SLACK
      }
      notes.push(...(await this.#moveNew(found, known, isLater)))
      record.remove()
    }
    return notes
  }

  #moveNew(
    { entries }: ProtectedEntries,
    known: KnownEntries,
    mayStay: (entry: ProtectedEntry) => boolean,
  ): Promise<string[]> {
    let restored: ReadonlySet<string> | undefined
    const isRestored = ({ path }: ProtectedEntry): boolean => {
      restored ??= restoredIds(this.#store)
      const stats = tryStat(path)
      return stats !== undefined && restored.has(idOf(stats))
    }
    return moveNewEntries(entries, known, {
      root: this.#root,
      store: this.#store,
      reported: this.#reported,
      renamed: this.#renamed,
      unmoved: this.#unmoved,
      onMove: () => {
        for (const session of this.#sessions)
          if (++session.moved === MAX_MOVED + 1) session.options.onFlood()
      },
      mayStay: (entry) => mayStay(entry) || isRestored(entry),
    })
  }

  /** True if an entry, or a folder around it, was approved. */
  #isAllowed({ path }: ProtectedEntry): boolean {
    if (this.#allowed.has(path)) return true
    if (![...this.#allowed].some((allowed) => isInside(allowed, path))) return false
    if (!tryStat(path)?.isDirectory()) return false
    const inside = readdirSync(path, { recursive: true, withFileTypes: true })
    return inside.every(
      (each) => each.isDirectory() || this.#allowed.has(join(each.parentPath, each.name)),
    )
  }

  get #store(): string {
    return asideFolder(dirname(this.#records))
  }

  /** Checks repeatedly while commands run. */
  #schedule(delay: number): void {
    clearTimeout(this.#timer)
    this.#record?.extend(delay)
    this.#timer = setTimeout(() => {
      void this.#alone(async () => {
        if (this.#sessions.size > 0) await this.#check(false)
      })
        // Checked again later, and when the command ends.
        .catch(() => {})
        .then(() => {
          if (this.#sessions.size > 0) this.#schedule(Math.max(INTERVAL, this.#took / SHARE))
        })
    }, delay).unref()
  }

  #alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    return done
  }
}
