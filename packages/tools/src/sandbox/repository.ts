import { lstatSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { readSmallFile } from '@toolglot/permissions/node/internal'

/** The git repository that contains a folder. */
export interface Repository {
  /** The top folder of the worktree. */
  readonly top: string
  /** The git folder that all worktrees share. */
  readonly common: string
}

/** Finds the repository of a folder. Git is not run, because the repository could configure what it executes. */
export function repositoryOf(folder: string): Repository | undefined {
  for (let top = folder; ; top = dirname(top)) {
    const common = commonFolderOf(join(top, '.git'))
    if (common !== undefined) return { top, common }
    if (top === dirname(top)) return undefined
  }
}

function commonFolderOf(git: string): string | undefined {
  try {
    const own = lstatSync(git).isFile()
      ? resolve(dirname(git), readTrimmed(git).replace(/^gitdir: /, ''))
      : git
    if (!exists(join(own, 'HEAD'))) return undefined
    const other = join(own, 'commondir')
    const common = realpathSync.native(exists(other) ? resolve(own, readTrimmed(other)) : own)
    return ['HEAD', 'objects', 'refs'].every((name) => exists(join(common, name)))
      ? common
      : undefined
  } catch {
    return undefined // There is none, or it points to nothing.
  }
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

function readTrimmed(file: string): string {
  return readSmallFile(file)?.trim() ?? ''
}
