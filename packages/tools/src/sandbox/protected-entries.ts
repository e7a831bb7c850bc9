import { isUtf8 } from 'node:buffer'
import { accessSync, constants, type Dirent, opendirSync, readdirSync, type Stats } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { yieldToOthers } from '@toolglot/agent/adapter/internal'
import { guardedPaths } from '@toolglot/permissions/internal'
import { nodeFileSystem } from '@toolglot/permissions/node'
import { isInside } from '../paths/inside.ts'
import { realPathOrSelf } from '../paths/programs.ts'
import {
  entriesOfGitFolder,
  isGitFolder,
  entryAt,
  idOf,
  type ProtectedEntry,
  tryStat,
} from './protected-entry.ts'

/** The protected entries of a writable folder. */
export interface ProtectedEntries {
  readonly entries: readonly ProtectedEntry[]
  /** Folders that commands can write to but not move. */
  readonly pinned: readonly string[]
}

/** The maximum numbers of folders and entries before a command starts: each entry is a mount. */
const MAX_FOLDERS = 50_000
const MAX_ENTRIES = 1000
/** The maximum number of links, which are followed in each search. */
const MAX_LINKS = 50_000
/** The maximum number of names read in one search: 200,000 take about a second. */
const MAX_NAMES = 1_000_000
/**
 * The maximum total length of paths in bytes: the arguments of a program are limited, and each path
 * is in several.
 */
const MAX_LENGTH = 300_000

/**
 * A folder that is searched only if a link leads to it: package managers must be able to replace
 * it.
 */
const SKIPPED = 'node_modules'

const GIT = 'can make git run code'
const PRIVATE = 'leads to a folder that only commands can see'
const UNREADABLE = 'may contain protected files, since it cannot be read'

interface Listing {
  readonly stats: Stats
  readonly readAt: number
  readonly size: number
  /** The paths of its subfolders and links. */
  readonly folders: readonly string[]
  readonly links: readonly string[]
  readonly found: readonly Found[]
}

interface Found {
  /** `.` if the folder itself is a git folder. */
  readonly name: string
  readonly why: string
  readonly depth: number
}

/** Finds the protected entries of a folder at every depth. A folder that hasn't changed since the last search isn't read again. */
export class ProtectedEntrySearch {
  readonly #root: string
  readonly #state: string
  #listings = new Map<string, Listing>()

  readonly #isAside: (path: string) => boolean

  /**
   * `state` is our own folder, which is invisible to commands. Items that were moved aside aren't
   * searched either.
   */
  constructor(root: string, state: string, isAside: (path: string) => boolean) {
    this.#root = root
    this.#state = realPathOrSelf(state)
    this.#isAside = isAside
  }

  /**
   * Throws if there are too many entries before a command starts, but not afterwards: then all
   * entries that it created must be found.
   */
  async search({ isStart }: { readonly isStart: boolean }): Promise<ProtectedEntries> {
    const listings = new Map<string, Listing>()
    const entries: ProtectedEntry[] = []
    const pinned = new Set<string>()
    const folders = new Set([this.#root])
    let [links, names] = [0, 0]
    // The loop adds more folders.
    for (const folder of folders) {
      if (isStart && listings.size >= MAX_FOLDERS) throw tooMany('folders', MAX_FOLDERS)
      await yieldToOthers()
      const listing = await this.#list(folder, isStart ? MAX_NAMES - names : Infinity)
      if (!listing) continue
      listings.set(folder, listing)
      const { stats, found } = listing
      links += listing.links.length
      names += listing.size
      if (isStart && links > MAX_LINKS) throw tooMany('links', MAX_LINKS)
      for (const each of listing.folders) if (!this.#isOurs(each)) folders.add(each)
      for (const link of listing.links) {
        await yieldToOthers()
        const real = realPathOrSelf(link)
        // Commands can write to their private folders there.
        if (isInside(real, this.#state))
          entries.push(...list(entryAt(link, stats, { why: PRIVATE })))
        else if (this.#isSkippedFolder(real)) folders.add(real)
      }
      for (const each of found)
        if (!this.#isOurs(join(folder, each.name)))
          entries.push(...(await entriesFor(folder, stats, each, { root: this.#root, pinned })))
      if (folder === this.#root || found.some(({ name }) => isGitName(name)))
        entries.push(...obeyedByGit(folder, this.#root, pinned, isStart))
    }
    this.#listings = listings
    const all = entries.filter(({ path }) => !this.#isOurs(path))
    const mounts = new Set([...all.map(({ path }) => path), ...pinned])
    if (isStart && mounts.size > MAX_ENTRIES) throw tooMany('protected files', MAX_ENTRIES)
    const length = [...mounts].reduce((sum, path) => sum + Buffer.byteLength(path), 0)
    if (isStart && length > MAX_LENGTH)
      throw new Error('the paths of its protected files are too long. Open a smaller folder')
    return { entries: all, pinned: [...pinned] }
  }

  #isOurs(path: string): boolean {
    return isInside(path, this.#state) || this.#isAside(path)
  }

  #isSkippedFolder(path: string): boolean {
    return isInside(path, this.#root) && relative(this.#root, path).split('/').includes(SKIPPED)
  }

  async #list(folder: string, maxNames: number): Promise<Listing | undefined> {
    const stats = tryStat(folder)
    if (!stats?.isDirectory()) return undefined
    const known = this.#listings.get(folder)
    const isSame = known?.stats.ino === stats.ino && known.stats.dev === stats.dev
    // Commands can set a folder's modification time, but not its change time. A change within the
    // resolution of the clock could go unnoticed.
    if (isSame && known.stats.ctimeMs === stats.ctimeMs)
      if (known.readAt > stats.ctimeMs + resolutionOf(stats)) return known
    const readAt = Date.now()
    const listed = isOpen(folder) ? await tryList(folder, maxNames) : undefined
    const content = listed
      ? await inspect(folder, listed, relative(this.#root, folder).split('/'))
      : { folders: [], links: [], found: [{ name: '.', why: UNREADABLE, depth: 1 }] }
    return { stats, readAt, size: listed?.length ?? 0, ...content }
  }
}

async function inspect(
  folder: string,
  listed: readonly Dirent[],
  around: readonly string[],
): Promise<Pick<Listing, 'folders' | 'links' | 'found'>> {
  const folders: string[] = []
  const links: string[] = []
  const found: Found[] = []
  if (isGitFolder(listed.map(({ name }) => name))) found.push({ name: '.', why: GIT, depth: 1 })
  const undecodable = undecodableIn(folder, listed)
  for (const [at, entry] of listed.entries()) {
    if (at % ENTRIES_AT_ONCE === ENTRIES_AT_ONCE - 1) await yieldToOthers()
    const { name } = entry
    const guarded = isGitName(name) ? { why: GIT, depth: 1 } : guardedPaths.find([...around, name])
    const path = join(folder, name)
    if ((entry.isDirectory() || guarded) && (path.length > MAX_PATH || undecodable.has(name)))
      found.push({ name, why: UNREADABLE, depth: 1 })
    else if (guarded) found.push({ name, ...guarded })
    else if (entry.isDirectory() && name !== SKIPPED) folders.push(path)
    else if (entry.isSymbolicLink()) links.push(path)
  }
  return { folders, links, found }
}

/** The decoded names in a folder that aren't UTF-8, so no path leads to these entries. */
function undecodableIn(folder: string, listed: readonly Dirent[]): ReadonlySet<string> {
  if (!listed.some(({ name }) => name.includes('\ufffd'))) return new Set()
  const names = readdirSync(folder, { encoding: 'buffer' })
  return new Set(names.flatMap((name) => (isUtf8(name) ? [] : [name.toString()])))
}

/** Linux allows 4096 bytes. */
const MAX_PATH = 1000

const list = (entry: ProtectedEntry | undefined): ProtectedEntry[] => (entry ? [entry] : [])

const isGitName = (name: string): boolean => name.toLowerCase() === '.git'

async function entriesFor(
  folder: string,
  stats: Stats,
  { name, why, depth }: Found,
  { root, pinned }: { readonly root: string; readonly pinned: Set<string> },
): Promise<ProtectedEntry[]> {
  const around = tryStat(dirname(folder))
  if (why === UNREADABLE && name === '.' && around)
    return list(entryAt(folder, around, { why, isUnreadable: true }))
  // Without its HEAD, a folder isn't a repository.
  if (name === '.') return await entriesOfGitFolder(folder, pinned, { more: ['HEAD'] })
  for (let around = folder, left = depth; left > 1; around = dirname(around), left--)
    pinned.add(around)
  const path = join(folder, name)
  if (why === UNREADABLE) return [{ path, key: `${idOf(stats)}/${name}`, why }]
  const entry = entryAt(path, stats, { why })
  if (!entry) return []
  const git = isGitName(name) ? (entry.link?.real ?? path) : undefined
  if (git === undefined || !isInside(git, root) || !tryStat(git)?.isDirectory()) return [entry]
  return [{ ...entry, isGitFolder: true }, ...(await entriesOfGitFolder(git, pinned))]
}

/** Files that git executes or reads in a working tree because of settings. */
function obeyedByGit(
  folder: string,
  root: string,
  pinned: Set<string>,
  isStart: boolean,
): ProtectedEntry[] {
  const named = nodeFileSystem({ cwd: folder }).obeyedByGit?.(folder) ?? []
  // If the settings can't be read, the whole working tree is protected.
  const isUnknown = named.some((path) => isInside(folder, path))
  if (isUnknown && isStart)
    throw new Error(
      `the git settings of ${folder} can't be checked: they are too large or not regular files`,
    )
  if (isUnknown) return []
  return named.flatMap((path) => {
    const around = tryStat(dirname(path))
    if (path === root || !isInside(path, root) || !around) return []
    const entry = entryAt(path, around, { why: 'git runs or obeys it' })
    if (!entry) return []
    for (let each = dirname(path); each !== root; each = dirname(each)) pinned.add(each)
    return [entry]
  })
}

function tooMany(what: string, most: number): Error {
  return new Error(`it contains more than ${most} ${what}. Open a smaller folder`)
}

/** The number of entries processed before other work can run. */
const ENTRIES_AT_ONCE = 256

/**
 * The resolution of file times in milliseconds. Some file systems store only full or even-numbered
 * seconds.
 */
const resolutionOf = ({ ctimeMs }: Stats): number => (ctimeMs % 1000 === 0 ? 2100 : 50)

/** True if the entries of a folder can be listed and accessed. */
function isOpen(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

async function tryList(folder: string, maxNames: number): Promise<Dirent[] | undefined> {
  const entries: Dirent[] = []
  try {
    const opened = opendirSync(folder, { bufferSize: ENTRIES_AT_ONCE })
    try {
      for (let entry = opened.readSync(); entry; entry = opened.readSync()) {
        entries.push(entry)
        if (entries.length > maxNames) throw tooMany('files', MAX_NAMES)
        if (entries.length % ENTRIES_AT_ONCE === 0) await yieldToOthers()
      }
    } finally {
      opened.closeSync()
    }
    return entries
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    return code === 'EACCES' ? undefined : []
  }
}
