import { appendFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '@toolglot/agent/node/internal'
import { readTextFile } from '@toolglot/permissions/node/internal'

/** The user's prompts in earlier chats, the latest last. */
export interface History {
  readonly entries: readonly string[]
  add(text: string): void
}

/** Reads the history file; `add` appends to it. Only the user can read the file. */
export function openHistory(file: string): History {
  const entries = readEntries(file)
  return {
    entries,
    add(text) {
      if (text.trim() === '' || entries.at(-1) === text) return
      entries.push(text)
      try {
        makeFolder(dirname(file))
        if (entries.length > 2 * MAX_ENTRIES) {
          entries.splice(0, entries.length - MAX_ENTRIES)
          writeFileSync(file, entries.map(lineOf).join(''), { mode: 0o600 })
        } else appendFileSync(file, lineOf(text), { mode: 0o600 })
      } catch {
        // The disk is full or read-only: the entry is kept in memory only.
      }
    },
  }
}

const MAX_ENTRIES = 1000
const MAX_BYTES = 16 << 20

function lineOf(text: string): string {
  return `${JSON.stringify(text)}\n`
}

function readEntries(file: string): string[] {
  const content = readTextFile(file, MAX_BYTES)
  // The file is missing or unreadable.
  const text = 'text' in content ? content.text : ''
  return text.split('\n').flatMap((line) => {
    try {
      const entry: unknown = JSON.parse(line)
      return typeof entry === 'string' ? [entry] : []
    } catch {
      // An incomplete line, left by a process that was killed.
      return []
    }
  })
}
