import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Creates a real folder with these files until the test ends. Objects are written as JSON. */
export function folderOf(
  files: Readonly<Record<string, string | Uint8Array | object>> = {},
): string {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'toolglot-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    const isData = typeof content === 'string' || content instanceof Uint8Array
    writeFileSync(join(folder, name), isData ? content : JSON.stringify(content))
  }
  return folder
}
