import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf } from '../../../../../tests/helpers/folder.ts'
import { openBrowser } from './open-browser.ts'

/**
 * Creates a folder with a fake playwright-core whose browsers fail with these messages, by channel
 * or program.
 */
function failing(messages: Readonly<Record<string, string>>): {
  readonly playwright: string
  readonly profile: string
} {
  const folder = folderOf({
    'index.js': `const messages = ${JSON.stringify(messages)}
exports.chromium = {
  launchPersistentContext: async (_, { channel, executablePath }) => {
    throw new Error(messages[channel ?? executablePath] ?? "Executable doesn't exist at /somewhere")
  },
}`,
    'package.json': '{ "main": "index.js" }',
  })
  return { playwright: folder, profile: join(folder, 'profile') }
}

test.each([
  [
    'Failed to create a ProcessSingleton for your profile directory',
    /Another browser is using the profile/,
  ],
  ['Running as root without --no-sandbox is not supported', /TOOLGLOT_BROWSER_SANDBOX=off/],
  ['Looks like you launched a headed browser without having a XServer running', /no display/],
  ['Killed\n\u001b[2J', /did not start: Killed Try another with TOOLGLOT_BROWSER/],
])('%j', async (message, expected) => {
  const opening = openBrowser({ ...failing({ chrome: message }), headless: true })
  await expect(opening).rejects.toThrow(expected)
})

test('reports a missing browser and a failing one that was selected', async () => {
  await expect(openBrowser({ ...failing({}), headless: true })).rejects.toThrow(
    /No Chrome or Chromium on this machine\. Install one/,
  )
  const executablePath = '/opt/chromium'
  const named = { ...failing({ [executablePath]: 'spawn ENOENT' }), executablePath, headless: true }
  await expect(openBrowser(named)).rejects.toThrow(
    /Cannot start Chromium at \/opt\/chromium: spawn ENOENT/,
  )
})
