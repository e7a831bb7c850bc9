import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '@toolglot/agent/node/internal'

/**
 * Writes a file that only its owner can read, atomically: readers get either the old or the new
 * content.
 */
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

/** Adds the path of the file to a system error, because errors from `write` lack it. */
function withPath(error: unknown, file: string): unknown {
  return error instanceof Error && 'syscall' in error ? Object.assign(error, { path: file }) : error
}
