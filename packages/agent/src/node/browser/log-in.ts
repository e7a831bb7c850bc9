import { pause, unlessAborted } from '../../time/time-limit.ts'
import { type BrowserOptions, launchOptions } from './browser-model.ts'
import { isOn, see } from './look.ts'
import { closeBrowser, openBrowser, holdProcess } from './open-browser.ts'
import { isGone, pageError, shownAddress } from './page-error.ts'
import type { BrowserPage } from './playwright.ts'
import { nameOf, parseSite, type Site } from './site.ts'

/**
 * Opens a site's page in a window and waits until the user has logged in. The login is kept in the
 * profile.
 */
export async function logIn(
  options: BrowserOptions & { readonly signal: AbortSignal },
): Promise<void> {
  const { signal, headless = false } = options
  const site = parseSite(options.site)
  const launch = launchOptions({ ...options, site, headless })
  const letGo = holdProcess()
  try {
    // The browser may be open without a window.
    await closeBrowser(launch.profile)
    const context = await unlessAborted(signal, openBrowser(launch))
    const page = context.pages()[0] ?? (await context.newPage())
    await unlessAborted(
      signal,
      page.goto(site.address, { timeout: 60_000, waitUntil: 'domcontentloaded' }),
    )
    let times = 0
    // A page may show its input briefly before it requires a login.
    while (times < 3) {
      await pause(500, signal)
      times = (await isLoggedIn(page, site)) ? times + 1 : 0
    }
  } catch (error) {
    signal.throwIfAborted()
    throw pageError(error, nameOf(site))
  } finally {
    await closeBrowser(launch.profile)
    letGo()
  }
}

async function isLoggedIn(page: BrowserPage, site: Site): Promise<boolean> {
  const { loggedOut = {}, input } = site
  const { selector, text, url } = loggedOut
  if (!isOn(page.url(), site)) return false
  if (url !== undefined && shownAddress(page.url()).includes(url)) return false
  try {
    const out =
      selector === undefined ? undefined : await see(page, 'loggedOut.selector', selector, text)
    if (out?.found !== undefined) return false
    return (await see(page, 'input', input)).visible > 0
  } catch (error) {
    if (isGone((error as Error).message)) throw error
    return false // The page is loading.
  }
}
