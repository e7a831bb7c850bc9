import { chmodSync, mkdirSync } from 'node:fs'
import type { Storage } from '../host/storage.ts'

/** A folder that only its owner can look into; it is made if it is not there. */
export function nodeStorage(folder: string): Storage {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // It may have been there before.
  chmodSync(folder, 0o700)
  return { folder }
}
