import { chmodSync, copyFileSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { folderOf } from '../helpers/folder.ts'
import { spawned } from '../../packages/cli/test/spawned.ts'
import { browser } from './harness.ts'

test('the file for the browser opens the page, logged in, in the given folder', async () => {
  const home = folderOf({})
  const folder = folderOf({ 'package.json': '{"version": "1.2.3"}' })
  // A fake browser that records the files it opens.
  const program = join(home, 'browser')
  const kept = join(home, 'kept.html')
  writeFileSync(program, `#!/bin/sh\ncp "\${1#file://}" '${kept}'\n`)
  chmodSync(program, 0o755)
  const env = { HOME: home, NO_COLOR: '1', BROWSER: program }
  const command = spawned(['open', folder, '--port', '0', '-m', 'script'], { env })
  await command.until(/The page opens in your browser/)
  await vi.waitFor(() => expect(existsSync(kept)).toBe(true), { timeout: 10_000 })
  const page = join(home, 'page.html')
  copyFileSync(kept, page)

  const context = await (await browser()).newContext({ locale: 'en-US' })
  onTestFinished(() => context.close())
  const tab = await context.newPage()
  await tab.goto(pathToFileURL(page).href)
  await tab.waitForURL(/127\.0\.0\.1:\d+\/chat/)
  await tab.getByRole('button', { name: 'What version is in package.json?' }).click()
  await tab.getByText('The version in package.json is 1.2.3.').first().waitFor()
  // The code is neither in the address nor in the history.
  expect(tab.url()).not.toContain('login')
})
