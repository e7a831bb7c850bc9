import { createHash } from 'node:crypto'
import { realpathSync, renameSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isTracked, makeFolder } from '@toolglot/agent/node/internal'
import { readSmallFile } from '@toolglot/permissions/node/internal'
import { repositoryOf } from './repository.ts'

/** A file that replaces another one in the view of a command. */
export interface Substitute {
  readonly source: string
  readonly target: string
}

/**
 * Hides a new file from git as run by a command, so that `git add .` skips it: by a substitute for `info/exclude`. Returns
 * none if there is no repository, and undefined if git would see the file anyway.
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
  // A tracked file that was removed would look modified.
  if (name.includes('\n') || isTracked(file, top)) return undefined
  try {
    if (realpathSync.native(target) !== target) return undefined
    const excluded = readSmallFile(target, MAX_EXCLUDE_BYTES)
    if (excluded === undefined) return undefined
    const text = `${excluded}\n/${name.replace(SPECIAL, '\\$&')}\n`
    return [{ source: writeOnce(text, records), target }]
  } catch {
    return undefined // There is no `info/exclude` to substitute.
  }
}

const SPECIAL = /[\\*?[\]!# ]/g
const MAX_EXCLUDE_BYTES = 1 << 20

/** Writes a text to a file named after its hash. Such a file never changes, since it may be in use. */
function writeOnce(text: string, records: string): string {
  const file = join(records, `exclude-${createHash('sha256').update(text).digest('hex')}`)
  makeFolder(records)
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, text, { mode: 0o600 })
  renameSync(draft, file)
  return file
}
