import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
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

/**
 * The git folder of a working tree, or undefined if `git` isn't one. Whoever made the working tree could name any folder elsewhere, so
 * that folder must name the working tree, too.
 */
function commonFolderOf(git: string): string | undefined {
  try {
    const found = lstatSync(git)
    if (found.isDirectory())
      return isWhole(git) && !exists(join(git, 'commondir')) ? git : undefined
    if (!found.isFile()) return undefined
    const own = realpathSync.native(
      resolve(dirname(git), readTrimmed(git).replace(/^gitdir: /, '')),
    )
    const [, tree] = /^\s*worktree = (.*)$/m.exec(readTrimmed(join(own, 'config'))) ?? []
    const isSubmodule = tree !== undefined
    const back = isSubmodule ? join(resolve(own, tree), '.git') : readTrimmed(join(own, 'gitdir'))
    const common = isSubmodule ? own : resolve(own, '../..')
    const isLinked = isSubmodule || join(common, 'worktrees', basename(own)) === own
    if (!isLinked || !exists(back) || realpathSync.native(back) !== realpathSync.native(git))
      return undefined
    return isWhole(common) ? common : undefined
  } catch {
    return undefined // There is none, or it points to nothing.
  }
}

const isWhole = (git: string): boolean =>
  ['HEAD', 'objects', 'refs'].every((name) => exists(join(git, name)))

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

function readTrimmed(file: string): string {
  return readSmallFile(file)?.trim() ?? ''
}
