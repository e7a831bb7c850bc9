import { readdir } from 'node:fs/promises'
import type { FileSystemView, FolderEntry } from '../decide/file-system.ts'

/** The entries of a folder. Links are not followed. */
export const listFolder: NonNullable<FileSystemView['list']> = async (folder, { deep, most }) => {
  const found: FolderEntry[] = []
  const waiting = ['']
  for (let inner = waiting.pop(); inner !== undefined; inner = waiting.pop()) {
    const names = await namesIn(`${folder}/${inner}`)
    if (found.length + names.length > most) return undefined
    for (const entry of names) {
      const path = inner + entry.name
      const kind = entry.isSymbolicLink() ? 'link' : entry.isDirectory() ? 'folder' : 'file'
      if (kind === 'folder' && deep) waiting.push(`${path}/`)
      found.push({ path, kind })
    }
  }
  return found
}

async function namesIn(folder: string): ReturnType<typeof readTyped> {
  try {
    return await readTyped(folder)
  } catch {
    // Not readable, so no command can read it either; or it was removed meanwhile.
    return []
  }
}

const readTyped = (folder: string) => readdir(folder, { withFileTypes: true })
