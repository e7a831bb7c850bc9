import type { OpenFolder } from './open-folder.ts'
import type { FileSystemCalls } from './file-system-calls.ts'

/** What a file is written as before it takes its name: `.NAME.0123456789ab.tmp`. */
export function temporaryName(name: string, random: string): string {
  return `.${name.slice(0, 40)}.${random}.tmp`
}

const TEMPORARY_NAME = /^\..{0,40}\.[0-9a-f]{12}\.tmp$/su
/** In milliseconds: what is younger may still be written. */
const MIN_AGE = 60 * 60 * 1000
/** Each folder once: what is left behind is left by programs that were killed before. */
const swept = new Set<string>()
const MAX_REMEMBERED = 10_000

/** Removes what writes left behind in a folder that were killed in the middle: our own old plain files, and nothing else. */
export async function removeLeftovers(fs: FileSystemCalls, folder: OpenFolder): Promise<void> {
  if (swept.has(folder.path)) return
  if (swept.size >= MAX_REMEMBERED) swept.clear()
  swept.add(folder.path)
  try {
    for (const name of await fs.readdir(folder.at('')))
      if (TEMPORARY_NAME.test(name) && (await isLeftover(fs, folder.at(name))))
        await fs.unlink(folder.at(name))
  } catch {
    // It may not be listed, or someone else removes them, too: they are in nobody's way.
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
