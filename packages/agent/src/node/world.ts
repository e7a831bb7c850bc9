import { homedir } from 'node:os'
import type { World } from '../permission/world.ts'

/** This machine, as a decision sees it. */
export function nodeWorld(options: {
  readonly cwd: string
  readonly home?: string
  readonly roots?: readonly string[]
  readonly platform?: World['platform']
}): World {
  const { cwd, home = homedir(), roots = [cwd], platform = 'linux' } = options
  return { cwd, home, roots, platform, caseSensitive: true, follow: () => undefined }
}
