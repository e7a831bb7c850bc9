import { lstatSync, readdirSync, type Stats } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { ToolError } from '@toolglot/agent'
import { guardedPaths } from '@toolglot/permissions/internal'
import { nodeFileSystem } from '@toolglot/permissions/node'
import { readSmallFile } from '@toolglot/permissions/node/internal'
import { isInside } from '../paths/inside.ts'

/** What commands must not change in a folder. Names are relative to it. */
export interface GuardedNames {
  /** Folders that may be written to but not moved or removed, so that they cannot be replaced. */
  readonly fixed: readonly string[]
  readonly readOnly: readonly string[]
  /** Names that do not exist and must not be created. */
  readonly missing: readonly string[]
}

/** What is at a path, without following links. */
export type EntryKind = 'missing' | 'link' | 'folder' | 'file'

/** Finds what commands must not change in a folder. */
export function findGuarded(
  folder: string,
  look: (name: string) => EntryKind = (name) => kindOf(join(folder, name)),
): GuardedNames {
  const fixed = new Set<string>()
  const readOnly = new Set<string>()
  const missing = new Set<string>()
  for (const path of existingIn(folder)) {
    for (const around of parentFolders(path)) fixed.add(around)
    readOnly.add(path)
  }
  for (const path of guardedPaths.held) {
    for (const name of [...parentFolders(path), path]) {
      const kind = look(name)
      if (kind === 'link') throw linkedError(join(folder, name))
      if (kind === 'missing') missing.add(name)
      else if (kind === 'folder' && name !== path) fixed.add(name)
      else readOnly.add(name)
      if (kind !== 'folder') break // A file, as `.git` is in a linked worktree: there is nothing below it.
    }
  }
  return { fixed: [...fixed], readOnly: [...readOnly], missing: [...missing] }
}

/** Existing files that must not change. A link cannot be protected, but its target is, by its own name. */
function existingIn(folder: string): string[] {
  return [
    ...guardedPaths.existing.flatMap((path) => pathsMatching(path, folder)),
    ...obeyedIn(folder),
    ...worktreesOutside(folder),
    ...submodulesIn(folder),
  ].filter((path) =>
    [...parentFolders(path), path].every((name) => {
      const kind = kindOf(join(folder, name))
      return kind === 'folder' || kind === 'file'
    }),
  )
}

/** What git runs or obeys in a folder because settings of its repository name it. */
function obeyedIn(folder: string): string[] {
  const found = nodeFileSystem({ cwd: folder }).obeyedByGit?.(folder) ?? []
  return found.flatMap((path) => (isInside(path, folder) ? relative(folder, path) || [] : []))
}

/**
 * What says where the settings of linked worktrees outside the folder are. A worktree in the folder can be made one of another
 * repository in any case. If worktrees may have settings of their own, nothing can be created next to it.
 */
function worktreesOutside(folder: string): string[] {
  const config = tryRead(join(folder, '.git/config'))
  const held = config === undefined || /worktreeConfig/i.test(config) ? '' : '/commondir'
  return namesIn(join(folder, WORKTREES))
    .map((name) => `${WORKTREES}/${name}`)
    .filter((path) => {
      const place = tryRead(join(folder, path, 'gitdir'))
      return place === undefined || !isInside(resolve(folder, path, place.trim()), folder)
    })
    .map((path) => path + held)
}

const WORKTREES = '.git/worktrees'

/** Settings and hooks of submodules, which git obeys wherever it runs in the repository. Their names may be paths. */
function submodulesIn(folder: string, around = '.git/modules', depth = 5): string[] {
  if (depth === 0) return []
  const paths = namesIn(join(folder, around)).map((name) => `${around}/${name}`)
  return paths.flatMap((path) =>
    kindOf(join(folder, path, 'config')) === 'missing'
      ? submodulesIn(folder, path, depth - 1)
      : [
          ...[`${path}/config`, `${path}/hooks`],
          ...submodulesIn(folder, `${path}/modules`, depth - 1),
        ],
  )
}

function tryRead(file: string): string | undefined {
  try {
    return lstatSync(file).isFile() ? readSmallFile(file) : undefined
  } catch {
    return undefined // Missing or not readable.
  }
}

/** `a/b/c`: `a` and `a/b`. */
function parentFolders(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // Missing or not readable.
  }
}

/** The paths in a folder that a pattern means: those that exist, if it has a `*`, which only its last name may have. */
function pathsMatching(pattern: string, folder: string): string[] {
  if (!pattern.includes('*')) return [pattern]
  const around = pattern.slice(0, pattern.lastIndexOf('/') + 1)
  return namesIn(join(folder, around))
    .filter((name) => matchesPattern(pattern.slice(around.length), name))
    .map((name) => around + name)
}

/** Whether a name matches a pattern in which each `*` stands for anything. */
function matchesPattern(pattern: string, name: string): boolean {
  const [head = '', ...rest] = pattern.split('*')
  const tail = rest.pop() ?? ''
  let at = name.startsWith(head) ? head.length : -1
  for (const piece of rest) {
    const found = at < 0 ? -1 : name.indexOf(piece, at)
    at = found < 0 ? -1 : found + piece.length
  }
  return at >= 0 && name.length - tail.length >= at && name.endsWith(tail)
}

/** What is at a path, without following links. */
export function kindOf(place: string): EntryKind {
  const found = tryStat(place)
  if (!found) return 'missing'
  if (found.isSymbolicLink()) return 'link'
  return found.isDirectory() ? 'folder' : 'file'
}

function tryStat(place: string): Stats | undefined {
  try {
    return lstatSync(place, { throwIfNoEntry: false })
  } catch {
    return undefined // Not accessible, or a parent is not a folder.
  }
}

/** The error for a link where a guarded file belongs. */
export function linkedError(place: string): ToolError {
  return new ToolError(
    'execution_failed',
    `${place} is a link, which a sandbox cannot protect. Replace it with a real folder, or run commands without a sandbox.`,
    { code: 'sandbox', path: place },
  )
}
