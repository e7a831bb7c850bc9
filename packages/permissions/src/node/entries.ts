import { readdirSync } from 'node:fs'
import type { FileSystemView } from '../decide/file-system.ts'

/** A folder with more entries is not searched. */
const MAX_ENTRIES = 50_000

/** All entries of a folder, at any depth. Links are not followed, and what is in `.git` is left out. */
export const entries: NonNullable<FileSystemView['entries']> = (folder) => {
  const found: { path: string; link: boolean }[] = []
  const waiting = ['']
  for (let inner = waiting.pop(); inner !== undefined; inner = waiting.pop()) {
    let names
    try {
      names = readdirSync(`${folder}/${inner}`, { withFileTypes: true })
    } catch {
      // Not readable, so no command can read it either; or it was removed meanwhile.
      continue
    }
    for (const entry of names) {
      const path = inner + entry.name
      if (entry.isDirectory() && entry.name !== '.git') waiting.push(`${path}/`)
      if (found.push({ path, link: entry.isSymbolicLink() }) > MAX_ENTRIES) return undefined
    }
  }
  return found
}
