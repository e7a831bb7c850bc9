import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { InstructionFile } from '@toolglot/agent/context'
import { INSTRUCTION_FILES } from '@toolglot/agent/internal'
import { readTextFile } from '@toolglot/permissions/node/internal'
import { gitRoot } from './git-root.ts'
import { isInside, upwards } from './inside.ts'
import type { UserDirectories } from './user-directories.ts'

/** The instruction files that apply in a folder, and those that could not be read. */
export interface FoundInstructions {
  readonly files: readonly InstructionFile[]
  readonly problems: readonly string[]
}

/**
 * Finds the user's own instructions, then the project's: from the root of the repository down to the folder, so that the
 * nearest come last. Without a repository, only the folder itself counts.
 */
export function findInstructions(
  folder: string,
  { directories }: { readonly directories: Pick<UserDirectories, 'config'> },
): FoundInstructions {
  const files: InstructionFile[] = []
  const problems: string[] = []
  const look = (path: string, scope: InstructionFile['scope'], root?: string): boolean => {
    const found = readOne(path, root)
    if (found === undefined) return false
    if ('reason' in found) problems.push(`${path}: ${found.reason}.`)
    else files.push({ path, text: found.text, scope })
    return true
  }
  look(join(directories.config, 'instructions.md'), 'user')
  const root = gitRoot(folder) ?? folder
  for (const at of foldersFrom(root, folder)) {
    for (const names of INSTRUCTION_FILES)
      names.some((name) => look(join(at, name), 'project', root))
  }
  return { files, problems }
}

function foldersFrom(root: string, folder: string): string[] {
  const inside: string[] = []
  for (const at of upwards(folder)) {
    inside.unshift(at)
    if (at === root) break
  }
  return inside
}

/** Undefined if there is no such file. */
function readOne(
  path: string,
  root: string | undefined,
): { readonly text: string } | { readonly reason: string } | undefined {
  let real: string
  try {
    real = realpathSync.native(path)
    if (root !== undefined && !isInside(real, realpathSync.native(root)))
      return { reason: 'it is a link out of the project' }
  } catch (error) {
    // No such file, a circular link, an unreadable folder.
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    return { reason: `it cannot be read (${code ?? String(error)})` }
  }
  const content = readTextFile(real, LARGEST)
  if ('missing' in content) return undefined
  return 'reason' in content ? content : { text: content.text.replace(/^\ufeff/, '') }
}

const LARGEST = 256 << 10
