import { lstatSync, readlinkSync, type Stats } from 'node:fs'
import { basename, dirname } from 'node:path'
import { realPathOrSelf } from '../paths/programs.ts'

/** A protected file, folder or link that exists in a writable folder. */
export interface ProtectedEntry {
  readonly path: string
  /**
   * Its identity: that of the folder around it, and its name. A sandboxed command can move that folder, but can't replace an
   * entry in it, because a mount is there. So an unknown identity is a new entry, and a known one isn't.
   */
  readonly key: string
  readonly why: string
  /** It is a git folder: commands can write to it, except for the entries in it. */
  readonly isGitFolder?: true
  /** The git folder that it is in. */
  readonly inGitFolder?: string
  /** It is a folder that can't be read, so its content is unknown. */
  readonly isUnreadable?: true
  /** For a link, which can't be protected itself: its target, and the identity of the file or folder it leads to. */
  readonly link?: LinkTarget
}

/** Where a link leads. */
export interface LinkTarget {
  readonly target: string
  /** The real path, or that of the link if it leads to nothing. */
  readonly real: string
  /** Empty if it leads to nothing. */
  readonly id: string
  /** Like that of an entry: the folder around the place it leads to, and its name there. */
  readonly key: string
}

/** Describes the entry at a path; undefined if nothing is there. `around` is the folder that it is in. */
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
    return undefined // It was replaced in the meantime.
  }
}

/** Identifies a file or folder, even if its number is used again. */
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
