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
    throw withPath(error, file)
  }
}

/** A system error with the path of the file that was to be written: an error of `write` has none. */
function withPath(error: unknown, file: string): unknown {
  return error instanceof Error && 'syscall' in error ? Object.assign(error, { path: file }) : error
}
