import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '@toolglot/agent/internal'

/** Writes a file that only its owner may read. All or nothing: who reads meanwhile finds the old text or the new one. */
export function writeWhole(file: string, text: string): void {
  makeFolder(dirname(file))
  const draft = `${file}.${randomUUID()}`
  try {
    const opened = openSync(draft, 'wx', 0o600)
    try {
      writeFileSync(opened, text)
      fsyncSync(opened)
    } finally {
      closeSync(opened)
    }
    renameSync(draft, file)
  } catch (error) {
    // A full or read-only disk.
    rmSync(draft, { force: true })
    throw error
  }
}
