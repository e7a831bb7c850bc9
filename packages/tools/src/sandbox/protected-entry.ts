import { lstatSync, readlinkSync, type Stats, readdirSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { yieldToOthers } from '@toolglot/agent/adapter/internal'
import { guardedPaths } from '@toolglot/permissions/internal'
import { hasPlainSettings, readSmallFile } from '@toolglot/permissions/node/internal'
import { realPathOrSelf } from '../paths/programs.ts'
import { isInside } from '../paths/inside.ts'

/** A protected file, folder or link that exists in a writable folder. */
export interface ProtectedEntry {
  readonly path: string
  /**
   * The identity of the entry, which consists of the identity of its parent folder and its name. A
   * sandboxed command can move that folder, but can't replace an entry in it, because a mount
   * covers the entry. So an entry with an unknown identity is new, and an entry with a known one
   * isn't.
   */
  readonly key: string
  readonly why: string
  /** True for a git folder: commands can write to it, except for its protected entries. */
  readonly isGitFolder?: true
  /** The git folder that contains it. */
  readonly inGitFolder?: string
  /** True for an unreadable folder, whose content is unknown. */
  readonly isUnreadable?: true
  /** For a link, which can't be protected itself: its target, and the target's identity. */
  readonly link?: LinkTarget
}

/** The target of a link. */
export interface LinkTarget {
  readonly target: string
  /** The real path, or the link's own path if its target is missing. */
  readonly real: string
  /** Empty if the target is missing. */
  readonly id: string
  /** As for an entry: the identity of the target's parent folder, and the target's name. */
  readonly key: string
}

/**
 * Describes the entry at a path; undefined if nothing exists there. `around` is its parent folder.
 */
export function entryAt(
  path: string,
  around: Stats,
  details: Pick<ProtectedEntry, 'why' | 'inGitFolder' | 'isUnreadable'>,
): ProtectedEntry | undefined {
  const stats = tryStat(path)
  if (!stats) return undefined
  const link = stats.isSymbolicLink() ? linkAt(path) : undefined
  return { path, key: `${idOf(around)}/${basename(path)}`, ...details, ...(link && { link }) }
}

function linkAt(path: string): LinkTarget | undefined {
  try {
    const real = realPathOrSelf(path)
    const stats = real === path ? undefined : tryStat(real)
    const around = tryStat(dirname(real))
    const key = `${around && idOf(around)}/${basename(real)}`
    return { target: readlinkSync(path), real, id: stats ? idOf(stats) : '', key }
  } catch {
    return undefined // The entry was replaced in the meantime.
  }
}

/** Identifies a file or folder, even if its inode number is reused. */
export function idOf({ dev, ino, birthtimeMs }: Stats): string {
  return `${dev}.${ino}.${birthtimeMs}`
}

/** The file or folder at a path, without following links; undefined if it is missing or not accessible. */
export function tryStat(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** True if git treats a folder with these names as a repository without a working tree. */
export function isGitFolder(names: readonly string[]): boolean {
  const folded = new Set(names.map((name) => name.toLowerCase()))
  if (!folded.has('head')) return false
  return folded.has('commondir') || (folded.has('objects') && folded.has('refs'))
}

/** The maximum nesting of git folders: submodules of submodules, whose names may be paths. */
const MAX_DEPTH = 6

/** The settings and hooks in a git folder, including its submodules and linked working trees. */
export async function entriesOfGitFolder(
  folder: string,
  pinned: Set<string>,
  { more = [], depth = MAX_DEPTH }: { more?: readonly string[]; depth?: number } = {},
): Promise<ProtectedEntry[]> {
  await yieldToOthers()
  const stats = tryStat(folder)
  if (!stats?.isDirectory() || depth === 0) return []
  const details = { why: 'can make git run code', inGitFolder: folder }
  const found = [...guardedPaths.inGitFolder, ...more].flatMap(
    (name) => entryAt(join(folder, name), stats, details) ?? [],
  )
  const isOne = depth === MAX_DEPTH || isGitFolder(namesIn(folder))
  if (isOne) pinned.add(folder)
  const around = isOne ? ['modules', 'worktrees'].map((name) => join(folder, name)) : [folder]
  for (const each of around)
    for (const name of namesIn(each))
      found.push(...(await entriesOfGitFolder(join(each, name), pinned, { depth: depth - 1 })))
  return found
}

/**
 * True if a new repository can't make git run a program: it has plain settings and no hooks, or
 * shares those of a known git folder. `path` is its git folder, or the file that points to it;
 * `searched` are all git folders found.
 */
export function isPlainRepository(
  path: string,
  known: readonly string[],
  searched: ReadonlySet<string>,
): boolean {
  try {
    if (tryStat(path)?.isDirectory()) return isPlainGitFolder(path, known)
    const [, target = ''] = /^gitdir: (.+)\n$/.exec(readSmallFile(path) ?? '') ?? []
    const folder = resolve(dirname(path), target)
    // Only settings found by a search are protected from the next command.
    const isOurs = known.some((git) => folder !== git && isInside(folder, git))
    return isOurs && searched.has(folder) && isPlainGitFolder(folder, known)
  } catch {
    return false // It is not a regular file, or it is too large.
  }
}

/** True if all settings of a git folder are unable to make git run a program. */
export function isPlainGitFolder(folder: string, known: readonly string[]): boolean {
  // A hard link would allow changing the file under another name.
  const hasOtherNames = guardedPaths.inGitFolder.some((name) => {
    const stats = tryStat(join(folder, name))
    return stats && !stats.isDirectory() && (!stats.isFile() || stats.nlink > 1)
  })
  if (hasOtherNames) return false
  if (isLinkedWorkingTree(folder)) return known.includes(dirname(dirname(folder)))
  const config = readSmallFile(join(folder, 'config')) ?? ''
  const [, tree] = /^\s*worktree = (.*)$/m.exec(config) ?? []
  // A submodule's working tree is inside the one of the outer repository.
  const isInTree = known.some((git) => isInside(resolve(folder, tree ?? '..'), dirname(git)))
  return tree === undefined
    ? hasPlainSettings(folder, dirname(folder))
    : isInTree && hasPlainSettings(folder, resolve(folder, tree))
}

/** True for the git folder of a linked working tree without its own settings. */
function isLinkedWorkingTree(folder: string): boolean {
  return (
    basename(dirname(folder)) === 'worktrees' &&
    readSmallFile(join(folder, 'commondir')) === '../..\n' &&
    tryStat(join(folder, 'config.worktree')) === undefined
  )
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // Missing or unreadable.
  }
}
