// The browser for these tests. @sparticuz/chromium unpacks itself into the system's temporary
// folder, where a second process may use a partially written program. So it is unpacked here, once,
// before any test begins.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const packageFolder = dirname(
  dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')),
)
const unpacked = join(packageFolder, 'unpacked')

/** The path of the program, once `unpackChromium` has returned. */
export const chromiumPath: string = join(unpacked, 'chromium')

/** Vitest calls this before the tests of the page. */
export default function unpackChromium(): void {
  if (existsSync(chromiumPath)) return
  const folder = mkdtempSync(join(packageFolder, 'unpacking-'))
  const code = "import chromium from '@sparticuz/chromium'; await chromium.executablePath()"
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: dirname(fileURLToPath(import.meta.url)),
    env: { ...process.env, TMPDIR: folder },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`Chromium could not be unpacked: ${stderr}`)
  try {
    renameSync(folder, unpacked)
  } catch (error) {
    // Another test run has unpacked it in the meantime.
    if (!existsSync(chromiumPath)) throw error
    rmSync(folder, { recursive: true })
  }
}
