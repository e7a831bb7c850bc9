import { realpathSync } from 'node:fs'

/** Where a path leads; the path itself if nothing is there. */
export function realOf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}
