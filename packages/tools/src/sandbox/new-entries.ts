import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join, basename, dirname, relative, resolve } from 'node:path'
import { makeFolder } from '@toolglot/agent/node/internal'
import { readSmallFile } from '@toolglot/permissions/node/internal'
import { z } from 'zod'
import { yieldToOthers } from '@toolglot/agent/adapter/internal'
import { describeThrown } from '@toolglot/agent/internal'
import { hasEnded, ownIdentity } from '../process/list-processes.ts'
import { isInside } from '../paths/inside.ts'
import { makeReadable, type MovedAside, moveAside, restoreLink } from './aside.ts'
import {
  isPlainGitFolder,
  isPlainRepository,
  type LinkTarget,
  type ProtectedEntry,
  tryStat,
} from './protected-entry.ts'

/**
 * A record on disk of the protected entries of a folder while commands run there, in case this
 * process is killed.
 */
export interface GuardRecord {
  write(known: KnownEntries): void
  /** Records that commands are running, and will run for a number of milliseconds more. */
  extend(duration: number): void
  remove(): void
}

/** The record of a killed process. */
interface LeftRecord {
  readonly known: KnownEntries
  /** The time when its commands ended, in milliseconds since 1970. */
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

/** True if commands of another process run in a folder. */
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
    return undefined // The record was removed by its process, or is not ours.
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

/** The protected entries that existed before commands ran, by key. */
export type KnownEntries = Map<string, Pick<ProtectedEntry, 'path' | 'link' | 'inGitFolder'>>

/** Options for moving new entries aside. */
interface NewEntryOptions {
  readonly root: string
  readonly store: string
  /** True if an entry may stay, for example because a person approved it. */
  readonly mayStay: (entry: ProtectedEntry) => boolean
  /**
   * The new repositories that were reported. They don't count as known: commands that are still
   * running could change their settings.
   */
  readonly reported: Set<string>
  /** Collects the files and folders that could only be renamed. */
  readonly renamed: MovedAside[]
  /** Collects the paths that could not be moved. */
  readonly unmoved: Set<string>
  /** Called after each move. */
  readonly onMove: () => void
}

/** The name of a path for a note, in quotes if it has unusual characters: commands choose names. */
function nameOf(path: string, root: string): string {
  const name = relative(root, path) || '.'
  return /^[\p{L}\p{N}\p{M}./@+,~=_\ufffd -]*$/u.test(name) ? name : JSON.stringify(name)
}

/**
 * Moves new entries aside, except for repositories that can't make git run a program. Returns a
 * note about each, for the user and the model.
 */
export async function moveNewEntries(
  found: readonly ProtectedEntry[],
  known: KnownEntries,
  options: NewEntryOptions,
): Promise<string[]> {
  const { root, mayStay, reported, unmoved } = options
  const gitFolders = found.flatMap(({ key, path, link, isGitFolder, inGitFolder }) => {
    const folder = isGitFolder ? (link?.real ?? path) : inGitFolder
    return folder !== undefined && known.has(key) ? [folder] : []
  })
  const searched = new Set(found.flatMap(({ inGitFolder }) => inGitFolder ?? []))
  const settled = new Set<string>()
  const notes: string[] = []
  for (const entry of found) {
    await yieldToOthers()
    const { path, key } = entry
    const before = known.get(key)
    if (before) notes.push(...(await restoreReplaced(before, entry, options)))
    // A failed move is not repeated.
    if (unmoved.has(path)) continue
    if (before || isInAFolderOf(settled, path, root)) continue
    const isRepository = basename(path).toLowerCase() === '.git'
    if (isRepository) settled.add(path)
    if (mayStay(entry)) known.set(key, entry)
    else if (isPlain(entry, isRepository, gitFolders, searched)) {
      const isNew = isRepository || basename(path) === 'HEAD'
      const name = nameOf(isRepository ? path : dirname(path), root)
      if (isNew && !reported.has(path))
        notes.push(`${name} is a new git repository. Tell the user.`)
      reported.add(path)
    } else if (entry.isUnreadable) {
      await makeReadable(path, root).catch(() => void unmoved.add(path))
      notes.push(`${nameOf(path, root)} had been made unreadable, and is readable again.`)
    } else notes.push(...(await move(path, entry, options)))
  }
  await putRemovedLinksBack(found, known, root)
  return notes
}

function isInAFolderOf(folders: ReadonlySet<string>, path: string, root: string): boolean {
  for (let at = path; at !== root && at !== dirname(at); at = dirname(at))
    if (folders.has(at)) return true
  return false
}

/** True if a new repository, or its new settings or hooks, can't make git run a program. */
function isPlain(
  { path, inGitFolder }: ProtectedEntry,
  isRepository: boolean,
  known: readonly string[],
  searched: ReadonlySet<string>,
): boolean {
  if (isRepository) return isPlainRepository(path, known, searched)
  if (inGitFolder === undefined) return false
  try {
    if (!known.includes(inGitFolder)) return isPlainGitFolder(inGitFolder, known)
    const isHooks = basename(path) === 'hooks' && tryStat(path)?.isDirectory()
    return isHooks === true && readdirSync(path).every((name) => name.endsWith('.sample'))
  } catch {
    return false
  }
}

/** Undoes a command's changes to a link or its target. */
async function restoreReplaced(
  before: { readonly path: string; readonly link?: LinkTarget },
  { path, why, link }: ProtectedEntry,
  options: NewEntryOptions,
): Promise<string[]> {
  if (!before.link) return []
  if (link?.target !== before.link.target) {
    const notes = await move(path, { why }, options)
    await restoreLink(path, options.root, before.link.target)
    return notes
  }
  if (link.id === before.link.id || link.id === '' || !isInside(link.real, options.root)) return []
  // A mount prevents commands from replacing the target, so the user has replaced it.
  if (before.link.id !== '' && link.key === before.link.key) return []
  // The target changed because a parent folder was replaced. That folder is moved, never the
  // current target.
  const named = resolve(dirname(path), link.target)
  const isEntry = named !== options.root && isInside(named, options.root)
  const notes = isEntry ? await move(named, { why }, options) : []
  return tryStat(named) || !isEntry ? [...notes, ...(await move(path, { why }, options))] : notes
}

async function putRemovedLinksBack(
  found: readonly ProtectedEntry[],
  known: KnownEntries,
  root: string,
): Promise<void> {
  const present = new Set(found.map(({ key }) => key))
  for (const [key, { path, link }] of known) {
    if (!link || present.has(key) || tryStat(path)) continue
    try {
      await restoreLink(path, root, link.target)
    } catch {
      // The folder that contains the link was also removed.
    }
  }
}

async function move(
  path: string,
  { why }: Pick<ProtectedEntry, 'why'>,
  { root, store, renamed, unmoved, onMove }: NewEntryOptions,
): Promise<string[]> {
  const name = nameOf(path, root)
  try {
    const item = await moveAside(path, root, why, store)
    if (isInside(item.at, root)) renamed.push(item)
    onMove()
    return [
      `The new ${name} was moved out of the way (protected: ${why}). If the user wants it, they can put it back with: toolglot restore ${item.id}`,
    ]
  } catch (error) {
    if (!tryStat(path) && !path.includes('\ufffd')) return []
    unmoved.add(path)
    return [
      `The new ${name} (protected: ${why}) can't be moved out of the way: ${describeThrown(error)}`,
    ]
  }
}
