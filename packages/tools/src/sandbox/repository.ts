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
    const common = commonOf(join(top, '.git'))
    if (common !== undefined) return { top, common }
    if (top === dirname(top)) return undefined
  }
}

function commonOf(git: string): string | undefined {
  try {
    const own = lstatSync(git).isFile()
      ? resolve(dirname(git), textIn(git).replace(/^gitdir: /, ''))
      : git
    if (!isThere(join(own, 'HEAD'))) return undefined
    const other = join(own, 'commondir')
    const common = realpathSync.native(isThere(other) ? resolve(own, textIn(other)) : own)
    return ['HEAD', 'objects', 'refs'].every((name) => isThere(join(common, name)))
      ? common
      : undefined
  } catch {
    return undefined // There is none, or it leads nowhere.
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

function textIn(file: string): string {
  return readFileSync(file, 'utf8').trim()
}
