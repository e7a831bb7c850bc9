import { existsSync } from 'node:fs'
import { ChildProcess } from 'node:child_process'
import { ModelError } from '../../model/model-error.ts'
import { plainLine } from '../../model/plain-line.ts'
import { makeFolder } from '../state-folder.ts'
import { type BrowserContext, loadPlaywright } from './playwright.ts'

/** The browser to open, and its profile. */
export interface LaunchOptions {
  /** The folder of the profile, which contains the user's cookies. */
  readonly profile: string
  /** The path of the program. Default: `TOOLGLOT_BROWSER`, or an installed Chrome or Chromium. */
  readonly executablePath?: string | undefined
  /** The folder of playwright-core. Default: `TOOLGLOT_PLAYWRIGHT`, or an installed copy. */
  readonly playwright?: string | undefined
  /** Run pages in Chromium's sandbox. Default: true, unless `TOOLGLOT_BROWSER_SANDBOX` is `off`. */
  readonly sandbox?: boolean | undefined
  /** Hide the window. */
  readonly headless: boolean
}

/**
 * Opens the browser of a profile, or returns it if it is already open. It closes when the process
 * ends.
 */
export async function openBrowser(options: LaunchOptions): Promise<BrowserContext> {
  const { profile } = options
  const known = browsers.get(profile)
  if (known) return known
  const opening = launch(options)
  browsers.set(profile, opening)
  const forget = (): void => {
    if (browsers.get(profile) === opening) browsers.delete(profile)
  }
  opening.then((context) => context.on('close', forget), forget)
  return opening
}

/** True if the browser of a profile is open. */
export function isBrowserOpen(profile: string): boolean {
  return browsers.has(profile)
}

/** Closes the browser of a profile if it is open. */
export async function closeBrowser(profile: string): Promise<void> {
  const opening = browsers.get(profile)
  browsers.delete(profile)
  // If it failed to open, there is nothing to close.
  const context = await opening?.catch(() => undefined)
  await context?.close()
}

/** The open browsers by profile, because a profile can be opened only once. */
const browsers = new Map<string, Promise<BrowserContext>>()

async function launch({
  profile,
  executablePath,
  playwright,
  sandbox = true,
  headless,
}: LaunchOptions): Promise<BrowserContext> {
  const { chromium } = loadPlaywright(playwright)
  makeFolder(profile)
  let problem = ''
  for (const program of programs(executablePath)) {
    try {
      const context = await chromium.launchPersistentContext(profile, {
        ...program,
        headless,
        chromiumSandbox: sandbox,
        acceptDownloads: false,
        // The program handles signals itself.
        handleSIGINT: false,
        handleSIGTERM: false,
        handleSIGHUP: false,
        timeout: LAUNCH_TIMEOUT,
      })
      letProcessEnd(profile)
      closeAtEnd(context)
      return context
    } catch (error) {
      problem = (error as Error).message
      // Try another browser only if this one is not installed: another browser must not open a
      // profile that is in use or was created by this one.
      if (!isNotInstalled(problem)) break
    }
  }
  throw launchError(problem, { profile, executablePath, sandbox })
}

/** The browsers to try, in order of preference. */
function programs(executablePath: string | undefined): readonly object[] {
  if (executablePath !== undefined) return [{ executablePath }]
  const installed = PROGRAMS.find((path) => existsSync(path))
  return [
    { channel: 'chrome' },
    ...(installed === undefined ? [] : [{ executablePath: installed }]),
    { channel: 'chromium' },
    { channel: 'msedge' },
  ]
}

/** Paths of Chromium that Playwright does not check. */
const PROGRAMS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

const LAUNCH_TIMEOUT = 60_000

function isNotInstalled(message: string): boolean {
  return /distribution '[\w-]+' is not (?:found|supported)|executable doesn't exist/i.test(message)
}

function launchError(
  message: string,
  { profile, executablePath, sandbox }: Omit<LaunchOptions, 'headless'>,
): ModelError {
  const refuse = (text: string): ModelError => new ModelError('refused', text)
  if (/ProcessSingleton|SingletonLock|existing browser session|already in use/i.test(message))
    return new ModelError(
      'unavailable',
      `Another browser is using the profile ${plainLine(profile)}: close it, or wait until the other run ends.`,
    )
  if (
    sandbox &&
    /no usable sandbox|without --no-sandbox|sandbox_host|setuid sandbox/i.test(message)
  )
    return refuse(
      'Chromium cannot start with its sandbox here, as for the root user or in some containers. Use another user, or set TOOLGLOT_BROWSER_SANDBOX=off if you trust the page.',
    )
  if (/Missing X server|DISPLAY|headed browser/i.test(message))
    return refuse(
      'A window cannot be shown here, because there is no display. Do it on a machine with one, or remove window from the site file.',
    )
  if (executablePath !== undefined)
    return refuse(
      `Cannot start Chromium at ${plainLine(executablePath)}: ${plainLine(message)} Check TOOLGLOT_BROWSER.`,
    )
  if (!isNotInstalled(message))
    return refuse(
      `The browser on this machine did not start: ${plainLine(message)} Try another with TOOLGLOT_BROWSER.`,
    )
  return refuse(
    'No Chrome or Chromium on this machine. Install one (such as: apt install chromium, or: npx playwright-core install chromium), or set TOOLGLOT_BROWSER to its program.',
  )
}

/**
 * Allows the process to end although a browser is open: otherwise it would keep a finished command
 * running. Playwright does not expose the browser's process, so this searches Node's active handles
 * for it.
 */
function letProcessEnd(profile: string): void {
  const { _getActiveHandles } = process as { readonly _getActiveHandles?: () => unknown[] }
  for (const handle of _getActiveHandles?.call(process) ?? []) {
    if (!(handle instanceof ChildProcess)) continue
    if (!handle.spawnargs.some((word) => word === `--user-data-dir=${profile}`)) continue
    handle.unref()
    for (const stream of handle.stdio) (stream as { unref?: () => void } | null)?.unref?.()
  }
}

/**
 * Keeps the process alive while a browser is in use, which the browser itself does not do. Returns
 * a function that releases it.
 */
export function holdProcess(): () => void {
  const timer = setInterval(() => {}, 60_000)
  return () => clearInterval(timer)
}

/** Closes a browser properly when the process is about to end, so that the profile is complete. */
function closeAtEnd(context: BrowserContext): void {
  open.add(context)
  context.on('close', () => open.delete(context))
  if (isWatching) return
  isWatching = true
  process.on('beforeExit', closeAll)
}

const open = new Set<BrowserContext>()
let isWatching = false

function closeAll(): void {
  if (open.size === 0) return
  // Keeps the process alive until the browsers are closed.
  const timer = setTimeout(() => {}, CLOSE_TIMEOUT)
  const closing = [...open].map((context) => context.close())
  open.clear()
  void Promise.allSettled(closing).then(() => clearTimeout(timer))
}

const CLOSE_TIMEOUT = 5000
