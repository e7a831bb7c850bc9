import { lstat, mkdir, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ToolError } from '@toolglot/agent'
import { PROTECTED, UNWANTED } from './paths.ts'

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
  const unwanted = await missingOf(
    roots.flatMap((root) => UNWANTED.map((path) => join(root, path))),
  )
  for (const root of roots) {
    for (const path of PROTECTED) {
      const parts = path.split('/').filter((part) => part !== '')
      let place = root
      for (const [index, part] of parts.entries()) {
        place = join(place, part)
        const kind = await kindOf(place)
        if (kind === 'link') throw linked(place)
        if (kind === 'missing') {
          if (!(await hold(place))) break
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
      for (const place of made.splice(0).reverse()) await letGo(place)
      for (const place of unwanted.splice(0)) await rm(place, { recursive: true, force: true })
    },
  }
}

/** Those that are not there, but could come to be. */
async function missingOf(places: readonly string[]): Promise<string[]> {
  const missing = await Promise.all(
    places.map(
      async (place) =>
        (await kindOf(place)) === 'missing' && (await kindOf(dirname(place))) === 'folder',
    ),
  )
  return places.filter((_, index) => missing[index])
}

async function kindOf(place: string): Promise<'missing' | 'link' | 'folder' | 'file'> {
  if (held.has(place)) return 'missing'
  try {
    const found = await lstat(place)
    if (found.isSymbolicLink()) return 'link'
    return found.isDirectory() ? 'folder' : 'file'
  } catch {
    return 'missing'
  }
}

/** How many commands need an empty folder. */
const held = new Map<string, number>()

/** False where nobody can make it: not the command, either. */
async function hold(place: string): Promise<boolean> {
  try {
    await mkdir(place, { recursive: true })
  } catch {
    return false // The folder around it cannot be written in.
  }
  held.set(place, (held.get(place) ?? 0) + 1)
  return true
}

async function letGo(place: string): Promise<void> {
  const count = (held.get(place) ?? 1) - 1
  if (count > 0) {
    held.set(place, count)
    return
  }
  held.delete(place)
  await rmdir(place).catch(() => {}) // Someone else put something in it: it is theirs now.
}

function linked(place: string): ToolError {
  return new ToolError(
    'execution_failed',
    `${place} is a link, which a sandbox cannot protect: put a real folder there, or run commands without a sandbox.`,
    { code: 'sandbox', path: place },
  )
}
