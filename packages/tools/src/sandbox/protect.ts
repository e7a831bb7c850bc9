import { lstatSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { guardedPaths, ToolError } from '@toolglot/agent'
import { UNWANTED } from './paths.ts'

/** Places in the writable folders that must not change, and the folders around them that must stay where they are. */
export interface Protection {
  /** Folders that may be written in but neither moved nor removed: else another could take their place. */
  readonly fixed: readonly string[]
  readonly readOnly: readonly string[]
  readonly release: () => Promise<void>
}

/**
 * What does not exist is held by an empty folder, so that it cannot come to be: whatever reads it finds nothing, and
 * version control does not see it. The empty folders go when the last command that needs them has ended.
 */
export async function protect(roots: readonly string[]): Promise<Protection> {
  const fixed = new Set<string>()
  const readOnly = new Set<string>()
  const made: string[] = []
  const unwanted = roots
    .flatMap((root) => UNWANTED.map((path) => join(root, path)))
    .filter(isMissing)
  for (const root of roots) {
    for (const path of existingIn(root)) {
      const parts = path.split('/')
      for (let length = 1; length < parts.length; length++)
        fixed.add(join(root, ...parts.slice(0, length)))
      readOnly.add(join(root, path))
    }
    for (const path of guardedPaths.held) {
      const parts = path.split('/')
      let place = root
      for (const [index, part] of parts.entries()) {
        place = join(place, part)
        const kind = kindOf(place)
        if (kind === 'link') throw linked(place)
        if (kind === 'missing') {
          if (!hold(place)) break
          made.push(place)
        }
        const isLast = index === parts.length - 1
        if (kind === 'folder' && !isLast) fixed.add(place)
        else readOnly.add(place)
        if (kind !== 'folder') break // A file, as `.git` is in a second working tree: there is nothing below.
      }
    }
  }
  return {
    fixed: [...fixed],
    readOnly: [...readOnly],
    async release() {
      for (const place of made.splice(0).reverse()) letGo(place)
      for (const place of unwanted.splice(0)) await rm(place, { recursive: true, force: true })
    },
  }
}

/** What must not change of what is there. A link cannot be held, and what it leads to is held by its own name. */
function existingIn(root: string): string[] {
  const names = namesIn(root)
  return guardedPaths.existing
    .flatMap((path) => (path.includes('*') ? names.filter((name) => fits(path, name)) : path))
    .filter((path) => {
      const parts = path.split('/')
      const kinds = parts.map((_, index) => kindOf(join(root, ...parts.slice(0, index + 1))))
      return kinds.every((kind) => kind === 'folder' || kind === 'file')
    })
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // It is gone, or may not be listed.
  }
}

/** Whether a name is what a pattern with one `*` says. */
function fits(pattern: string, name: string): boolean {
  const [head = '', tail = ''] = pattern.split('*')
  return name.length >= head.length + tail.length && name.startsWith(head) && name.endsWith(tail)
}

/** It is not there, but could come to be. */
function isMissing(place: string): boolean {
  return kindOf(place) === 'missing' && kindOf(dirname(place)) === 'folder'
}

// What is held is looked at, made and removed without a pause in between: others do the same at the same time.

function kindOf(place: string): 'missing' | 'link' | 'folder' | 'file' {
  if (held.has(place)) return 'missing'
  try {
    const found = lstatSync(place)
    if (found.isSymbolicLink()) return 'link'
    return found.isDirectory() ? 'folder' : 'file'
  } catch {
    return 'missing'
  }
}

/** How many commands need an empty folder. */
const held = new Map<string, number>()

/** False where nobody can make it: not the command, either. */
function hold(place: string): boolean {
  try {
    mkdirSync(place, { recursive: true })
  } catch {
    return false // The folder around it cannot be written in.
  }
  held.set(place, (held.get(place) ?? 0) + 1)
  return true
}

function letGo(place: string): void {
  const count = (held.get(place) ?? 1) - 1
  if (count > 0) {
    held.set(place, count)
    return
  }
  held.delete(place)
  try {
    rmdirSync(place)
  } catch {
    // Someone else put something in it: it is theirs now.
  }
}

function linked(place: string): ToolError {
  return new ToolError(
    'execution_failed',
    `${place} is a link, which a sandbox cannot protect: put a real folder there, or run commands without a sandbox.`,
    { code: 'sandbox', path: place },
  )
}
