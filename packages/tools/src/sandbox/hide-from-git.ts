import { createHash } from 'node:crypto'
import { lstatSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isTracked, makeFolder } from '@toolglot/agent/internal'
import { repositoryOf } from './repository.ts'

/** A file that stands in for another in a command's view. */
export interface Substitute {
  readonly source: string
  readonly target: string
}

/**
 * How git, run by a command, does not see a new file, so that `git add .` does not take it: by another list of what git
 * leaves out. None is needed where there is no repository; undefined where git would see it all the same.
 */
export function hideFromGit(
  file: string,
  folder: string,
  records: string,
): Substitute[] | undefined {
  const repository = repositoryOf(folder)
  if (!repository) return []
  const { top, common } = repository
  const target = join(common, 'info/exclude')
  const name = relative(top, file)
  // A file that git knows, and that someone has removed, would look changed.
  if (name.includes('\n') || isTracked(file, top)) return undefined
  try {
    const { size } = lstatSync(target)
    if (realpathSync.native(target) !== target || size > MAX_EXCLUDE_BYTES) return undefined
    const text = `${readFileSync(target, 'utf8')}\n/${name.replace(SPECIAL, '\\$&')}\n`
    return [{ source: writeOnce(text, records), target }]
  } catch {
    return undefined // There is no such list to put another in its place.
  }
}

const SPECIAL = /[\\*?[\]!# ]/g
const MAX_EXCLUDE_BYTES = 1 << 20

/** A file with this text. Equal ones are one file, which is never changed: it may be in use. */
function writeOnce(text: string, records: string): string {
  const file = join(records, `exclude-${createHash('sha256').update(text).digest('hex')}`)
  makeFolder(records)
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, text, { mode: 0o600 })
  renameSync(draft, file)
  return file
}
