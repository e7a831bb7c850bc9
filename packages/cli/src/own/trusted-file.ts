import { realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isInside, loadSettings, userDirectories } from '@toolglot/workspace'
import { CommandError } from '../command-error.ts'
import { quote } from '../show/visible.ts'
import type { Terminal } from '../terminal.ts'

/** The real path of a file whose code may be loaded: it lies in a folder that a person trusts, or in their own settings. */
export function trustedFile(path: string, { cwd, env }: Terminal): string {
  const file = realFile(resolve(cwd, path))
  const directories = userDirectories(env)
  if (isInside(file, directories.config)) return file
  const { folder, trust } = loadSettings(dirname(file), { directories })
  if (trust === 'trusted') return file
  throw new CommandError('data', {
    expected: `${quote(path)} in a folder that you trust, because loading it runs its code`,
    got: trust === 'changed' ? 'one whose settings have changed since' : 'one that you do not',
    advice: `look at it, then run toolglot trust ${shellWord(folder)}`,
  })
}

export function realFile(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    // There is no such file, or it may not be looked at.
    throw new CommandError('data', {
      expected: 'a file with a protocol',
      got: `no file ${quote(path)}`,
      advice: 'check the path',
    })
  }
}

/** A word as a shell reads it. */
function shellWord(text: string): string {
  return /^[\w./~-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
