import type { Folder } from './open-folder.ts'
import type { System } from './file-system-calls.ts'

/** What a file is written as before it takes its name: `.NAME.0123456789ab.tmp`. */
export function spareName(name: string, random: string): string {
  return `.${name.slice(0, 40)}.${random}.tmp`
}

const SPARE = /^\..{0,40}\.[0-9a-f]{12}\.tmp$/su
/** In milliseconds: what is younger may still be written. */
const OLD = 60 * 60 * 1000
/** Each folder once: what is left behind is left by programs that were killed before. */
const swept = new Set<string>()
const MANY = 10_000

/** Removes what writes left behind in a folder that were killed in the middle: our own old plain files, and nothing else. */
export async function sweep(system: System, folder: Folder): Promise<void> {
  if (swept.has(folder.path)) return
  if (swept.size >= MANY) swept.clear()
  swept.add(folder.path)
  try {
    for (const name of await system.readdir(folder.at('')))
      if (SPARE.test(name) && (await isLeft(system, folder.at(name))))
        await system.unlink(folder.at(name))
  } catch {
    // It may not be listed, or someone else removes them, too: they are in nobody's way.
  }
}

async function isLeft(system: System, path: string): Promise<boolean> {
  const found = await system.lstat(path)
  return (
    found.isFile() &&
    found.nlink === 1 &&
    found.uid === process.getuid?.() &&
    Date.now() - found.mtimeMs > OLD
  )
}
