// The browser of these tests. @sparticuz/chromium unpacks itself into the system's folder for temporary files, where a second process
// takes a half-written program for a finished one. So it is unpacked here, once, before any test begins.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const packageFolder = dirname(
  dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')),
)
const unpacked = join(packageFolder, 'unpacked')

/** The program, once `unpackChromium` has returned. */
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
    // Another run of the tests was faster.
    if (!existsSync(chromiumPath)) throw error
    rmSync(folder, { recursive: true })
  }
}
