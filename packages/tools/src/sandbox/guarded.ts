import { lstatSync, readdirSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { ToolError } from '@toolglot/agent'
import { guardedPaths } from '@toolglot/permissions/internal'

/** What in a folder commands must not change. Names are relative to it. */
export interface GuardedNames {
  /** Folders that may be written in but neither moved nor removed: else another could take their place. */
  readonly fixed: readonly string[]
  readonly readOnly: readonly string[]
  /** What is not there and must not come to be. */
  readonly missing: readonly string[]
}

export type EntryKind = 'missing' | 'link' | 'folder' | 'file'

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
      if (kind !== 'folder') break // A file, as `.git` is in a second working tree: there is nothing below.
    }
  }
  return { fixed: [...fixed], readOnly: [...readOnly], missing: [...missing] }
}

/** What must not change of what is there. A link cannot be held, and what it leads to is held by its own name. */
function existingIn(folder: string): string[] {
  const names = namesIn(folder)
  return guardedPaths.existing
    .flatMap((path) =>
      path.includes('*') ? names.filter((name) => matchesPattern(path, name)) : path,
    )
    .filter((path) =>
      [...parentFolders(path), path].every((name) => {
        const kind = kindOf(join(folder, name))
        return kind === 'folder' || kind === 'file'
      }),
    )
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
    return [] // It is gone, or may not be listed.
  }
}

/** Whether a name is what a pattern with one `*` says. */
function matchesPattern(pattern: string, name: string): boolean {
  const [head = '', tail = ''] = pattern.split('*')
  return name.length >= head.length + tail.length && name.startsWith(head) && name.endsWith(tail)
}

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
    return undefined // It may not be looked at, or a file is where a folder would have to be.
  }
}

export function linkedError(place: string): ToolError {
  return new ToolError(
    'execution_failed',
    `${place} is a link, which a sandbox cannot protect: put a real folder there, or run commands without a sandbox.`,
    { code: 'sandbox', path: place },
  )
}
