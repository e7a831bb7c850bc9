import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A real folder with these files, there until the test is over. What is no text is written as JSON. */
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
