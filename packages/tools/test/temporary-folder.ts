import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates a folder with these folders in it, and returns its real path. The caller removes it. */
export function temporaryFolder(folders: readonly string[]): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolglot-')))
  for (const each of folders) mkdirSync(join(folder, each), { recursive: true })
  return folder
}
