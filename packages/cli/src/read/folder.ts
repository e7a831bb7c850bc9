import { realpathSync, statSync } from 'node:fs'
import { CommandError } from '../command-error.ts'
import { quote } from '../show/visible.ts'

/** The real path of a folder, if there is one. */
export function findFolder(path: string): string | undefined {
  try {
    const real = realpathSync.native(path)
    return statSync(real).isDirectory() ? real : undefined
  } catch {
    // It is not there, or may not be looked at.
    return undefined
  }
}

/** The real path of a folder that must be there. */
export function realFolder(path: string): string {
  const found = findFolder(path)
  if (found !== undefined) return found
  throw new CommandError('data', {
    expected: 'a folder',
    got: `no folder ${quote(path)}`,
    advice: 'check the path',
  })
}
