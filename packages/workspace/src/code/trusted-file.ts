import { dirname, resolve } from 'node:path'
import { isInside } from '../inside.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { UserError } from '../user-error.ts'
import { quote } from '../visible.ts'
import type { Workspace } from '../workspace.ts'
import { realFile } from './own-file.ts'

/** The real path of a file whose code may be loaded: it is in a folder that a person trusts, or in their own settings. */
export function trustedFile(
  path: string,
  { folder: here, directories }: Pick<Workspace, 'folder' | 'directories'>,
): string {
  const file = realFile(resolve(here, path))
  if (isInside(file, directories.config)) return file
  const { folder, trust } = loadSettings(dirname(file), { directories })
  if (trust === 'trusted') return file
  throw new UserError('data', {
    expected: `${quote(path)} in a folder that you trust, because loading it runs its code`,
    got: trust === 'changed' ? 'one whose settings have changed since' : 'one that you do not',
    advice: `look at it, then run toolglot trust ${shellWord(folder)}`,
  })
}

/** A word as a shell reads it. */
function shellWord(text: string): string {
  return /^[\w./~-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
