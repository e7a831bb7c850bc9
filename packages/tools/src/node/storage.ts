import { chmodSync } from 'node:fs'
import { makeFolder } from '@toolglot/agent/internal'
import type { Storage } from '../host/storage.ts'

/** A folder that only its owner can look into; it is made if it is not there. */
export function nodeStorage(folder: string): Storage {
  makeFolder(folder)
  // It may have been there before.
  chmodSync(folder, 0o700)
  return { folder }
}
