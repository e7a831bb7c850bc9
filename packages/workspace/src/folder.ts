import { realpathSync, statSync } from 'node:fs'
import { UserError } from './user-error.ts'
import { quote } from './visible.ts'

/** The real path of a folder; undefined if it does not exist. */
export function findFolder(path: string): string | undefined {
  try {
    const real = realpathSync.native(path)
    return statSync(real).isDirectory() ? real : undefined
  } catch {
    // It does not exist, or may not be looked at.
    return undefined
  }
}

/** The real path of a folder. Throws a UserError if it does not exist. */
export function realFolder(path: string): string {
  const found = findFolder(path)
  if (found !== undefined) return found
  throw new UserError('data', {
    expected: 'a folder',
    got: `no folder ${quote(path)}`,
    advice: 'check the path',
  })
}
