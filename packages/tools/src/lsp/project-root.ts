import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isInside } from '../paths/working-folder.ts'

/** The folder a server works in: the nearest around a file that has a marker, inside its root; else that root. */
export function projectRoot(
  path: string,
  markers: readonly string[],
  roots: readonly string[],
): string {
  const root = roots
    .filter((each) => isInside(path, each))
    .sort((one, other) => other.length - one.length)[0]
  if (root === undefined) return dirname(path)
  // A lock file stands for the whole of it, so markers are looked for one after the other.
  for (const marker of markers)
    for (let folder = dirname(path); isInside(folder, root); folder = dirname(folder)) {
      if (existsSync(join(folder, marker))) return folder
      if (folder === dirname(folder)) break
    }
  return root
}
