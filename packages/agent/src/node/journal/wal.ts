import { closeSync, readSync } from 'node:fs'
import { openRegularFile } from '@toolglot/permissions/node/internal'

/**
 * The state of a write-ahead log according to SQLite's shared index file. Read it only before opening the database:
 * closing the file while this process has the database open would release SQLite's locks.
 */
export interface WalIndex {
  /** How many frames are durable. */
  readonly frames: number
  /** How many of them were copied into the database. */
  readonly checkpointed: number
  /** Identifies the log: it changes whenever the log is emptied and started again. */
  readonly salt: string
}

/** Reads the index; undefined if there is none, so no process was interrupted. See SQLite's WAL-index file format. */
export function readWalIndex(file: string): WalIndex | undefined {
  const bytes = readStart(`${file}-shm`, 100)
  if (!bytes || bytes[12] !== 1) return undefined
  const numbers = new Uint32Array(bytes.buffer, bytes.byteOffset, 25)
  return {
    frames: numbers[4] ?? 0,
    checkpointed: numbers[24] ?? 0,
    salt: Buffer.from(bytes.subarray(32, 40)).toString('hex'),
  }
}

/** Reads the salt of the log; undefined if there is no log. */
export function readWalSalt(file: string): string | undefined {
  const bytes = readStart(`${file}-wal`, 32)
  return bytes && Buffer.from(bytes.subarray(16, 24)).toString('hex')
}

function readStart(file: string, length: number): Uint8Array | undefined {
  const opened = openRegularFile(file)
  if (!('descriptor' in opened)) return undefined
  try {
    const bytes = new Uint8Array(length)
    return readSync(opened.descriptor, bytes, 0, length, 0) === length ? bytes : undefined
  } finally {
    closeSync(opened.descriptor)
  }
}
