import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'
import type { Model, ModelRequest } from '@toolglot/agent'
import { browserModel, type BrowserOptions, closeBrowser, type Site } from '@toolglot/agent/browser'
import { chromiumPath } from '../chromium.ts'

/** The folder of playwright-core, which only these tests use. */
export const playwright: string = dirname(
  createRequire(import.meta.url).resolve('playwright-core/package.json'),
)

const profiles: string[] = []
afterAll(async () => {
  await Promise.all(profiles.map(closeBrowser))
  for (const profile of profiles) rmSync(profile, { recursive: true, force: true })
})

/** The folder of a new profile. Its browser is closed after the tests of the file. */
export function newProfile(): string {
  const profile = realpathSync.native(mkdtempSync(join(tmpdir(), 'toolglot-profile-')))
  profiles.push(profile)
  return profile
}

let shared: string | undefined

/** Options for opening the browser of these tests. Most tests share one. */
export function browserOptions(
  profile: string = (shared ??= newProfile()),
): Omit<BrowserOptions, 'site'> {
  // Tests also run as root and in containers, where the browser's sandbox does not work.
  return { profile, executablePath: chromiumPath, playwright, headless: true, sandbox: false }
}

/** A model behind a page. */
export function pageModel(site: Site, profile?: string): Model {
  return browserModel({ ...browserOptions(profile), site })
}

/** The text of one reply, and its parts. */
export async function ask(
  model: Model,
  text: string,
  { signal = AbortSignal.timeout(60_000), ...more }: Partial<ModelRequest> = {},
): Promise<{ readonly text: string; readonly parts: readonly string[] }> {
  const parts: string[] = []
  const messages = [{ role: 'user', content: text }] as const
  for await (const chunk of model.reply({ ...more, messages, signal }))
    if (chunk.type === 'text' && chunk.delta !== '') parts.push(chunk.delta)
  return { text: parts.join(''), parts }
}

/** Kills the browser of a profile, as a crash would. */
export function killBrowser(profile: string): void {
  for (const id of browserProcesses(profile)) process.kill(id, 'SIGKILL')
}

/** The main process of the browser that is using a profile, if it is running. */
export function browserProcesses(profile: string): readonly number[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return ids.map(Number).filter((id) => {
    try {
      const words = readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0')
      const isMain = !words.some((word) => word.startsWith('--type='))
      return isMain && words.includes(`--user-data-dir=${profile}`)
    } catch {
      return false // The process has ended in the meantime.
    }
  })
}
