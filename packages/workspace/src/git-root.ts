import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { upwards } from './inside.ts'

/** The repository that a folder is in, if it is in one. */
export function gitRoot(folder: string): string | undefined {
  for (const at of upwards(folder)) {
    if (existsSync(join(at, '.git'))) return at
  }
  return undefined
}
