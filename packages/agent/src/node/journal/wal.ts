import { closeSync, openSync, readSync } from 'node:fs'

/**
 * What SQLite's index beside the write-ahead log says of it. It is read before the database is opened, and never while
 * this process has it open: closing the file would give SQLite's locks free.
 */
export interface WalIndex {
  /** How many frames were durable, and how many of them are in the database itself. */
  readonly frames: number
  readonly moved: number
  /** Which log this is: it is emptied and filled again. */
  readonly salt: string
}

/** Undefined: there is none, so nobody was interrupted. The layout is part of SQLite's file format. */
export function readWalIndex(file: string): WalIndex | undefined {
  const bytes = beginningOf(`${file}-shm`, 100)
  if (!bytes || bytes[12] !== 1) return undefined
  const numbers = new Uint32Array(bytes.buffer, bytes.byteOffset, 25)
  return {
    frames: numbers[4] ?? 0,
    moved: numbers[24] ?? 0,
    salt: Buffer.from(bytes.subarray(32, 40)).toString('hex'),
  }
}

/** Which log there is; undefined without one. */
export function readWalSalt(file: string): string | undefined {
  const bytes = beginningOf(`${file}-wal`, 32)
  return bytes && Buffer.from(bytes.subarray(16, 24)).toString('hex')
}

function beginningOf(file: string, length: number): Uint8Array | undefined {
  let opened: number
  try {
    opened = openSync(file, 'r')
  } catch {
    // There is none.
    return undefined
  }
  try {
    const bytes = new Uint8Array(length)
    return readSync(opened, bytes, 0, length, 0) === length ? bytes : undefined
  } finally {
    closeSync(opened)
  }
}
