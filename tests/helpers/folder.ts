import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'

/** The files of a folder, by their paths in it. Objects are written as JSON. */
export type Files = Readonly<Record<string, string | Uint8Array | object>>

/** Creates a real folder with these files until the test ends. */
export function folderOf(files: Files = {}): string {
  const folder = newFolder(files)
  onTestFinished(() => remove(folder))
  return folder
}

/** Creates a real folder for all tests of a file, or of a `describe` block. */
export function sharedFolderOf(files: Files = {}): string {
  const folder = newFolder(files)
  afterAll(() => remove(folder))
  return folder
}

function newFolder(files: Files): string {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'toolglot-')))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    const isData = typeof content === 'string' || content instanceof Uint8Array
    writeFileSync(join(folder, name), isData ? content : JSON.stringify(content))
  }
  return folder
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}
