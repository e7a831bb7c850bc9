import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { upwards } from './inside.ts'

/** The root of the Git repository that a folder is in; undefined if it is in none. */
export function gitRoot(folder: string): string | undefined {
  for (const at of upwards(folder)) {
    if (existsSync(join(at, '.git'))) return at
  }
  return undefined
}
