import type { PathText } from '../settings/settings-file.ts'
import { comesWithFolder } from '../settings/untrusted-grants.ts'
import { importedFiles } from '../trust/imported-files.ts'
import type { UserDirectories } from '../user-directories.ts'
import { importFile } from './import-file.ts'
import { ownFile } from './own-file.ts'

/** What a file with code exports, and its real path. */
export interface LoadedCode {
  readonly file: string
  readonly exported: Readonly<Record<string, unknown>>
}

/** Loads a file with code that settings name. Code of a folder can import no file of it that was not trusted with it. */
export async function loadCode(named: PathText, directories: UserDirectories): Promise<LoadedCode> {
  const file = ownFile(named, directories)
  const only = comesWithFolder(named.source) ? [file, ...importedFiles(file)] : undefined
  return { file, exported: await importFile(file, only) }
}
