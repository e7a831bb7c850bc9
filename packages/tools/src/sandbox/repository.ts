import { lstatSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** The repository of git that a folder lies in. */
export interface Repository {
  /** Its outermost folder of files. */
  readonly top: string
  /** What all its working trees share: in the top's `.git`, or elsewhere. */
  readonly common: string
}

/** Git is not asked: a repository can say what git runs. What only looks like one is none. */
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
    return undefined // There is none, or it leads nowhere.
  }
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

function readTrimmed(file: string): string {
  return readFileSync(file, 'utf8').trim()
}
