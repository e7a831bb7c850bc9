import { resolve } from 'node:path'
import type { Workspace } from '../workspace.ts'
import { realFile, refuseUntrusted } from './own-file.ts'

/** The real path of a file that a person names, if its code may be loaded. */
export function trustedFile(
  path: string,
  { folder, directories }: Pick<Workspace, 'folder' | 'directories'>,
): string {
  const file = realFile(resolve(folder, path))
  refuseUntrusted(file, path, directories)
  return file
}
