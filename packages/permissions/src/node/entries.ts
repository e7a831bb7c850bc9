import { readdirSync } from 'node:fs'
import type { FileSystemView } from '../decide/file-system.ts'

/** More than this are not looked at before a command runs. */
const MAX_ENTRIES = 50_000

/** What lies in a folder, at any depth; links are not followed. What git keeps for itself is left out. */
export const entries: NonNullable<FileSystemView['entries']> = (folder) => {
  const found: { path: string; link: boolean }[] = []
  const waiting = ['']
  for (let inner = waiting.pop(); inner !== undefined; inner = waiting.pop()) {
    let names
    try {
      names = readdirSync(`${folder}/${inner}`, { withFileTypes: true })
    } catch {
      // It may not be looked at, so no command can either; or it is gone.
      continue
    }
    for (const entry of names) {
      if (entry.name === '.git') continue
      const path = inner + entry.name
      if (entry.isDirectory()) waiting.push(`${path}/`)
      if (found.push({ path, link: entry.isSymbolicLink() }) > MAX_ENTRIES) return undefined
    }
  }
  return found
}
