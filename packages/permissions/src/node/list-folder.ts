import { readdir } from 'node:fs/promises'
import type { FileSystemView, FolderEntry } from '../decide/file-system.ts'

/** The entries of a folder. Links are not followed. */
export const listFolder: NonNullable<FileSystemView['list']> = async (
  folder,
  { deep, most, without = [] },
) => {
  const found: FolderEntry[] = []
  const waiting = ['']
  for (let inner = waiting.pop(); inner !== undefined; inner = waiting.pop()) {
    const names = await namesIn(`${folder}/${inner}`)
    if (!names || found.length + names.length > most) return undefined
    // A name that is not UTF-8 cannot be looked up: what it leads to is unknown.
    if (names.some(({ name }) => name.includes('\ufffd'))) return undefined
    for (const entry of names) {
      const path = inner + entry.name
      const kind = entry.isSymbolicLink() ? 'link' : entry.isDirectory() ? 'folder' : 'file'
      if (kind === 'folder' && deep && !without.includes(entry.name)) waiting.push(`${path}/`)
      found.push({ path, kind })
    }
  }
  return found
}

async function namesIn(folder: string): Promise<Awaited<ReturnType<typeof readTyped>> | undefined> {
  try {
    return await readTyped(folder)
  } catch (error) {
    // Not readable, so no command can read it either; no folder; or removed meanwhile. Anything else is unknown.
    const { code } = error as NodeJS.ErrnoException
    return code === 'EACCES' || code === 'ENOTDIR' || code === 'ENOENT' ? [] : undefined
  }
}

const readTyped = (folder: string) => readdir(folder, { withFileTypes: true })
