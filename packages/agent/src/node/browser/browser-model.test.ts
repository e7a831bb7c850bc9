import { expect, onTestFinished, test, vi } from 'vitest'
import { browserEnvironment, browserModel, launchOptions } from './browser-model.ts'
import type { Site } from './site.ts'

const site: Site = {
  address: 'https://chat.example.org:8443/new?x=1',
  input: 'textarea',
  send: '#send',
  reply: '.reply',
  raw: { from: 'text' },
}

test('the environment selects the browser and the place of the profile', () => {
  expect(browserEnvironment({ HOME: '/home/me' }, site)).toEqual({
    profile: '/home/me/.local/state/toolglot/browser/chat.example.org_8443',
    executablePath: undefined,
    playwright: undefined,
    sandbox: true,
  })
  const env = {
    XDG_STATE_HOME: '/state',
    TOOLGLOT_BROWSER: ' /bin/chrome ',
    TOOLGLOT_PLAYWRIGHT: '/opt/playwright-core',
    TOOLGLOT_BROWSER_SANDBOX: 'off',
  }
  expect(browserEnvironment(env, site)).toEqual({
    profile: '/state/toolglot/browser/chat.example.org_8443',
    executablePath: '/bin/chrome',
    playwright: '/opt/playwright-core',
    sandbox: false,
  })
})

test('the window is hidden unless the site shows it', () => {
  expect(launchOptions({ site }).headless).toBe(true)
  expect(launchOptions({ site: { ...site, window: true } }).headless).toBe(false)
})

test('in code, the environment provides missing options', () => {
  vi.stubEnv('TOOLGLOT_BROWSER', '/bin/chrome')
  vi.stubEnv('TOOLGLOT_PLAYWRIGHT', '/opt/playwright-core')
  vi.stubEnv('TOOLGLOT_BROWSER_SANDBOX', 'off')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(launchOptions({ site })).toMatchObject({
    executablePath: '/bin/chrome',
    playwright: '/opt/playwright-core',
    sandbox: false,
  })
  const given = { executablePath: '/bin/other', playwright: '/other', sandbox: true }
  expect(launchOptions({ site, ...given })).toMatchObject(given)
})

test('a request that a page cannot handle opens and sends nothing', async () => {
  const model = browserModel({ site, profile: '/nowhere', playwright: '/nowhere' })
  const ask = async (more: object): Promise<void> => {
    const signal = new AbortController().signal
    const messages = [{ role: 'user', content: 'Hi' }] as const
    for await (const chunk of model.reply({ messages, signal, ...more })) void chunk
  }
  await expect(ask({ prefill: 'It' })).rejects.toThrow(/cannot continue a prefill/)
  const image = { type: 'image', url: 'https://example.org/a.png' }
  await expect(ask({ messages: [{ role: 'user', content: [image] }] })).rejects.toThrow(
    /does not accept images/,
  )
  await expect(ask({})).rejects.toMatchObject({
    problem: 'refused',
    message: expect.stringContaining('No playwright-core in /nowhere'),
  })
})

test('an invalid site is rejected immediately', () => {
  expect(() => browserModel({ site: { ...site, input: '' } })).toThrow(/input/)
})
