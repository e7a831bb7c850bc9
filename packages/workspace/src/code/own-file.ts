import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { noSuchPath } from '@toolglot/permissions/errors/internal'
import type { PathText } from '../settings/settings-file.ts'
import { comesWithFolder } from '../settings/merge-settings.ts'
import { importedFiles } from '../trust/digest.ts'
import type { UserDirectories } from '../user-directories.ts'
import { importFile } from './import-file.ts'
import { isInside, resolvePath } from '../inside.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { UserError } from '../user-error.ts'
import { quote } from '../visible.ts'

/** The exports of a code file and its real path. */
interface LoadedCode {
  readonly file: string
  readonly exported: Readonly<Record<string, unknown>>
}

/**
 * Loads a code file listed in settings. Code in a folder cannot import other files of the folder
 * unless they were trusted together with it.
 */
export async function loadCode(named: PathText, directories: UserDirectories): Promise<LoadedCode> {
  const file = ownFile(named, directories)
  const only = comesWithFolder(named.source) ? [file, ...importedFiles(file)] : undefined
  return { file, exported: await importFile(file, only) }
}

/**
 * The real path of a code file listed in settings. A folder's settings can only list files in that
 * folder. Settings from the command line can only list files in a trusted folder: a file with rules
 * must not add code.
 */
function ownFile({ path, source }: PathText, directories: UserDirectories): string {
  const { root = directories.home } = source
  const file = realFile(resolvePath(path, root, directories.home))
  if (source.scope === 'cli') refuseUntrusted(file, path, directories)
  if (comesWithFolder(source) && !isInside(file, root)) {
    throw new UserError(
      'data',
      `${quote(path)} is outside of ${quote(root)}, so ${quote(source.file ?? '')} cannot load it`,
    )
  }
  return file
}

/** Throws a UserError unless a file is in a trusted folder or in the user's own settings. */
export function refuseUntrusted(file: string, path: string, directories: UserDirectories): void {
  if (isInside(file, directories.config)) return
  const { folder, trust } = loadSettings(dirname(file), { directories })
  if (trust === 'trusted') return
  const why =
    trust === 'changed' ? 'whose settings have changed since you trusted it' : 'that is not trusted'
  throw new UserError(
    'data',
    `${quote(path)} is in a folder ${why}, and loading it would run its code. Review the folder, then run: toolglot trust ${shellWord(folder)}`,
  )
}

/** Quotes a word for a shell. */
function shellWord(text: string): string {
  return /^[\w./~-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/** The real path of a file. Throws a UserError if it does not exist. */
export function realFile(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    // The file does not exist or is inaccessible.
    throw new UserError('data', noSuchPath('file', quote(path)))
  }
}
