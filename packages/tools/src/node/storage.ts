import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeFolder } from '@toolglot/agent/node/internal'
import type { Storage } from '../host/host.ts'

/** A private folder, readable only by its owner. It is created if missing. */
export function nodeStorage(folder: string): Storage {
  makeFolder(folder)
  // The folder may have existed with other permissions.
  chmodSync(folder, 0o700)
  return { folder }
}

/** A new private folder among the temporary files. */
export function temporaryStorage(): Storage {
  return { folder: mkdtempSync(join(tmpdir(), 'toolglot-')) }
}
