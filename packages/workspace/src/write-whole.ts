import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '@toolglot/agent/node/internal'

/** Writes a file that only its owner can read, atomically: readers see the old content or the new one. */
export function writeWhole(file: string, content: string | Uint8Array): void {
  makeFolder(dirname(file))
  const draft = `${file}.${randomUUID()}`
  try {
    const opened = openSync(draft, 'wx', 0o600)
    try {
      writeFileSync(opened, content)
      fsyncSync(opened)
    } finally {
      closeSync(opened)
    }
    renameSync(draft, file)
  } catch (error) {
    // The disk is full or read-only.
    rmSync(draft, { force: true })
    throw error
  }
}
