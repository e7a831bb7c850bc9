import type { OpenFolder } from './open-folder.ts'
import type { FileSystemCalls } from './file-system-calls.ts'

/** The name of a file while it is being written: `.NAME.0123456789ab.tmp`. */
export function temporaryName(name: string, random: string): string {
  return `.${name.slice(0, 40)}.${random}.tmp`
}

const TEMPORARY_NAME = /^\..{0,40}\.[0-9a-f]{12}\.tmp$/su
/** In milliseconds. A younger file may still be in use. */
const MIN_AGE = 60 * 60 * 1000
/** Folders that were checked. Once is enough: leftovers come from processes killed earlier. */
const swept = new Set<string>()
const MAX_REMEMBERED = 10_000

/** Removes temporary files of interrupted writes from a folder: only old regular files that are ours. */
export async function removeLeftovers(fs: FileSystemCalls, folder: OpenFolder): Promise<void> {
  if (swept.has(folder.path)) return
  if (swept.size >= MAX_REMEMBERED) swept.clear()
  swept.add(folder.path)
  try {
    for (const name of await fs.readdir(folder.at('')))
      if (TEMPORARY_NAME.test(name) && (await isLeftover(fs, folder.at(name))))
        await fs.unlink(folder.at(name))
  } catch {
    // Not readable, or already removed by another process. Leftovers do no harm.
  }
}

async function isLeftover(fs: FileSystemCalls, path: string): Promise<boolean> {
  const found = await fs.lstat(path)
  return (
    found.isFile() &&
    found.nlink === 1 &&
    found.uid === process.getuid?.() &&
    Date.now() - found.mtimeMs > MIN_AGE
  )
}
