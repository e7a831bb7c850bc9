import { join } from 'node:path'
import { ToolError } from '@toolglot/agent'
import { describeThrown } from '@toolglot/agent/internal'
import { findGuarded, kindOf, linkedError } from './guarded.ts'
import { hideFromGit, type Substitute } from './hide-from-git.ts'
import { GUARDED_FILES } from './guarded-files.ts'
import type { Placeholder } from './placeholder.ts'
import { placeholdersIn } from './placeholders.ts'

/** Paths in the writable folders that must not change, and their parent folders, which must not be moved. */
export interface Protection {
  readonly fixed: readonly string[]
  readonly readOnly: readonly string[]
  readonly substitutes: readonly Substitute[]
  readonly release: () => void
}

/**
 * Protects the guarded files of the roots. Those that do not exist get a placeholder, because a mount needs a mount point.
 * It is removed after the last command that needs it.
 */
export function protect(roots: readonly string[], records: string): Protection {
  const done: Protection[] = []
  try {
    for (const root of roots) done.push(protectRoot(root, records))
  } catch (error) {
    for (const one of done) one.release()
    throw error
  }
  return {
    fixed: done.flatMap(({ fixed }) => fixed),
    readOnly: done.flatMap(({ readOnly }) => readOnly),
    substitutes: done.flatMap(({ substitutes }) => substitutes),
    release: () => done.forEach((one) => one.release()),
  }
}

function protectRoot(root: string, records: string): Protection {
  const placeholders = placeholdersIn(root, records)
  const at = (name: string): string => join(root, name)
  try {
    const { fixed, readOnly, missing } = findGuarded(root, (name) => placeholders.kindOf(name))
    const hidden = new Map(missing.map((name) => [name, substitutesFor(root, name, records)]))
    const wanted = missing.map((name): Placeholder => ({
      name,
      kind: GUARDED_FILES.has(name) && hidden.get(name) ? 'file' : 'folder',
    }))
    const release = placeholders.hold(wanted)
    const link = missing.find((name) => kindOf(at(name)) === 'link')
    if (link !== undefined) {
      release()
      throw linkedError(at(link))
    }
    const there = missing.filter((name) => kindOf(at(name)) !== 'missing')
    return {
      fixed: fixed.map(at),
      readOnly: [...readOnly, ...there].map(at),
      substitutes: there.flatMap((name) => hidden.get(name) ?? []),
      release,
    }
  } catch (error) {
    if (error instanceof ToolError) throw error
    const message = `Could not prepare the sandbox in ${root}, or its records in ${records}: ${describeThrown(error)}`
    throw new ToolError('execution_failed', message, { code: 'sandbox', path: root })
  }
}

/** Removes the placeholders of ended processes from these folders. */
export function removeLeftovers(roots: readonly string[], records: string): void {
  for (const root of roots) placeholdersIn(root, records).sweep()
}

function substitutesFor(root: string, name: string, records: string): Substitute[] | undefined {
  if (!GUARDED_FILES.has(name) || name.startsWith('.git/')) return []
  return hideFromGit(join(root, name), root, records)
}
