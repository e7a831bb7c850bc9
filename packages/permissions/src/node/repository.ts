import { lstatSync, realpathSync, statSync, type Stats } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Repository } from '../decide/file-system.ts'
import { isClean, isUnchanged, changedSinceHead } from './last-commit.ts'
import { commonFolderOf, obeyedFiles, hasPlainSettings } from './obeyed-files.ts'
import { realOf, readBytes, readSmallFile } from './read-file.ts'

/**
 * The repository that a folder belongs to, with the files in its index. Undefined if the folder is
 * in no repository, or the repository cannot be read.
 */
export function repositoryAround(folder: string): Repository | undefined {
  const found = find(folder)
  if (!found) return undefined
  const { root, git } = found
  const index = tracked(git, root)
  const isPlain = (): boolean => index.submodules?.length === 0 && hasPlainSettings(git, root)
  const gitFolders = (): string[] => {
    try {
      const inner = index.submodules?.slice(0, MAX_NESTED) ?? []
      const own = inner.flatMap((name) => gitFolderOf(`${root}/${name}`) ?? [])
      return [git, commonFolderOf(git), ...own]
    } catch {
      return [git] // One of the repository's files is a pipe or too large.
    }
  }
  return { root, ...index, isPlain, gitFolders }
}

/** The files in a repository that its settings refer to. */
export function obeyedAround(folder: string): readonly string[] {
  const found = find(folder)
  return found ? obeyedFiles(found.git, found.root) : []
}

function find(folder: string): { readonly root: string; readonly git: string } | undefined {
  try {
    for (let root = realpathSync.native(folder); ; root = dirname(root)) {
      const git = gitFolderOf(root)
      if (git !== undefined) return { root, git }
      if (root === dirname(root)) return undefined
    }
  } catch {
    return undefined
  }
}

/** The tracked files in an index, or nothing if it cannot be read. */
function tracked(git: string, root: string): Omit<Repository, 'root'> {
  try {
    const { entries, files, submodules } = indexAt(`${git}/index`)
    const budget = { left: MAX_NESTED }
    let changes: { readonly files: ReadonlySet<string> | undefined } | undefined
    const repositories = submodules.filter((name) => hasOwnSettings(`${root}/${name}`, git, budget))
    return {
      files,
      submodules,
      repositories,
      isUnchanged: (file) => isUnchanged(file, entries, { root, git }),
      isClean: (file) => isClean(file, entries, { root, git }),
      changedSinceHead: () => (changes ??= { files: changedSinceHead(git, entries) }).files,
    }
  } catch {
    return {}
  }
}

/** Reads an index, or returns the cached one if it has not changed. */
function indexAt(index: string, largest = MAX_BYTES): Index {
  const found = statSync(index, { bigint: true, throwIfNoEntry: false })
  // A new repository has no index yet.
  if (!found) return indexOf([])
  if (found.size > largest) throw new Error('The git index is too large.')
  const version = `${index} ${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`
  if (last?.version === version) return last.index
  const bytes = readBytes(index, largest)
  if (!bytes) return indexOf([])
  last = { version, index: indexOf(readIndex(bytes)) }
  return last.index
}

const MAX_BYTES = 100_000_000
/** The maximum number of tracked repositories to inspect, and the maximum size of their indexes. */
const MAX_NESTED = 20
const MAX_NESTED_BYTES = 10_000_000

let last: { readonly version: string; readonly index: Index } | undefined

interface Index {
  readonly entries: readonly IndexEntry[]
  readonly files: readonly string[]
  readonly submodules: readonly string[]
}

const indexOf = (entries: readonly IndexEntry[]): Index => ({
  entries,
  files: entries.map(({ name }) => name),
  submodules: entries.flatMap(({ name, isRepository }) => (isRepository ? [name] : [])),
})

/**
 * True if a folder is a repository with settings that may make git run a program. `around` contains
 * the settings of submodules.
 */
function hasOwnSettings(folder: string, around: string, budget: { left: number }): boolean {
  if (!entryAt(`${folder}/.git`, lstatSync)) return false
  const git = gitFolderOf(folder)
  if (git?.startsWith(`${around}/modules/`)) return false
  if (git === undefined || budget.left-- <= 0) return true
  return !tracksNoOther(git) || !hasPlainSettings(git, realOf(folder))
}

/**
 * True if a repository certainly tracks no nested repository. Nested repositories are not
 * inspected, because one of them may contain this one.
 */
function tracksNoOther(git: string): boolean {
  try {
    return indexAt(`${git}/index`, MAX_NESTED_BYTES).submodules.length === 0
  } catch {
    return false
  }
}

const MAX_GITDIR = 10_000
const GITDIR = /^gitdir: (.+?)\n?$/

/**
 * The git folder of a repository. In a linked working tree or submodule, `.git` is a file with its
 * path.
 */
function gitFolderOf(root: string): string | undefined {
  const git = `${root}/.git`
  const found = entryAt(git, statSync)
  if (!found) return undefined
  if (found.isDirectory()) return git
  const [, target] = GITDIR.exec(readSmallFile(git, MAX_GITDIR) ?? '') ?? []
  return target === undefined ? undefined : resolve(root, target)
}

/** The entry at a path, or undefined if it is missing or unknown. */
function entryAt(path: string, look: typeof statSync): Stats | undefined {
  try {
    return look(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

const HEADER = 12
/** An entry of an index. */
export interface IndexEntry {
  readonly name: string
  /** True for a commit of another repository. */
  readonly isRepository: boolean
  /** The hash of the content, if it is a file. */
  readonly hash: string | undefined
  readonly mode: number
}

/** The position of the mode in an entry, and the mode of a commit. */
const MODE = 24
const REPOSITORY = 0o160000
const FILE = 0o100000
/** The position of the hash in an entry. */
const HASH = 40
/** The size of the fields before an entry's name: times, numbers, hash and flags. */
const FIXED = 62

/** The stored length of any longer name. */
const LONGEST = 0xfff

/** The entries of an index of version 2, 3 or 4 with SHA-1. Throws for any other format. */
export function readIndex(bytes: Buffer): IndexEntry[] {
  const version = bytes.readUInt32BE(4)
  if (bytes.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4)
    throw new Error(`Unsupported git index version: ${version}.`)
  const found: IndexEntry[] = []
  let at = HEADER
  let before = Buffer.alloc(0)
  let total = 0
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const isExtended = (bytes.readUInt16BE(at + FIXED - 2) & 0x4000) !== 0
    let start = at + FIXED + (isExtended ? 2 : 0)
    let kept = 0
    if (version === 4) ({ value: kept, end: start } = readOffset(bytes, start))
    const end = bytes.indexOf(0, start)
    if (end < 0) throw new Error('A name in the git index has no end.')
    const rest = bytes.subarray(start, end)
    const name =
      version === 4
        ? Buffer.concat([before.subarray(0, before.length - kept), rest])
        : Buffer.from(rest)
    // In version 4, a few bytes can expand to a long name.
    total += name.length
    if (total > MAX_BYTES) throw new Error('The names in the git index are too long.')
    const mode = bytes.readUInt32BE(at + MODE)
    // The stored length must match. With hashes other than SHA-1, this position contains other
    // data.
    const length = bytes.readUInt16BE(at + FIXED - 2) & LONGEST
    if (length !== Math.min(name.length, LONGEST))
      throw new Error('The git index does not use SHA-1.')
    const hash =
      (mode & FILE) === FILE ? bytes.toString('hex', at + HASH, at + HASH + 20) : undefined
    found.push({ name: name.toString('utf8'), isRepository: mode === REPOSITORY, hash, mode })
    before = name
    // Before version 4, an entry is padded with at least one zero to a multiple of eight bytes.
    at = version === 4 ? end + 1 : at + ((end - at) & ~7) + 8
  }
  // The remaining entries are in a shared index file.
  if (bytes.toString('latin1', at, at + 4) === 'link') throw new Error('The git index is split.')
  return found
}

/**
 * The number of bytes to drop from the previous name, with seven bits per byte, the highest first.
 */
function readOffset(bytes: Buffer, from: number): { value: number; end: number } {
  let at = from
  let byte = bytes.readUInt8(at++)
  let value = byte & 127
  while (byte & 128) {
    byte = bytes.readUInt8(at++)
    value = (value + 1) * 128 + (byte & 127)
  }
  return { value, end: at }
}
