import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { ModelError } from '../../model/model-error.ts'
import { stateFolder } from '../state-folder.ts'

/** The parts of Playwright used here, so that its types need not be installed. */
export interface Playwright {
  readonly chromium: {
    launchPersistentContext(folder: string, options: object): Promise<BrowserContext>
  }
}

/** A browser with a user's profile. */
export interface BrowserContext {
  pages(): BrowserPage[]
  newPage(): Promise<BrowserPage>
  newCDPSession(page: BrowserPage): Promise<CdpSession>
  close(): Promise<void>
  on(event: 'close', listener: () => void): unknown
  on(event: 'page', listener: (page: BrowserPage) => void): unknown
}

/** A tab. */
export interface BrowserPage {
  url(): string
  goto(
    url: string,
    options: { readonly timeout: number; readonly waitUntil: 'domcontentloaded' },
  ): Promise<{ status(): number } | null>
  locator(selector: string): PageLocator
  evaluate<Result, Argument>(
    work: (argument: Argument) => Result | Promise<Result>,
    argument: Argument,
  ): Promise<Result>
  readonly keyboard: {
    insertText(text: string): Promise<void>
    press(key: string): Promise<void>
  }
  isClosed(): boolean
  close(): Promise<void>
  on(event: 'domcontentloaded', listener: () => void): unknown
}

/** The elements that match a selector. */
export interface PageLocator {
  first(): PageLocator
  last(): PageLocator
  count(): Promise<number>
  click(options: { readonly timeout: number }): Promise<void>
  hover(options: { readonly timeout: number }): Promise<void>
  focus(options: { readonly timeout: number }): Promise<void>
  fill(text: string, options: { readonly timeout: number }): Promise<void>
  evaluate<Result, Argument, Element>(
    work: (element: Element, argument: Argument) => Result,
    argument: Argument,
    options: { readonly timeout: number },
  ): Promise<Result>
  evaluateAll<Result, Argument, Element>(
    work: (elements: Element[], argument: Argument) => Result,
    argument: Argument,
  ): Promise<Result>
}

/** The developer tools of a tab. */
export interface CdpSession {
  send(method: string, parameters?: object): Promise<unknown>
  on(event: string, listener: (parameters: never) => void): unknown
  detach(): Promise<void>
}

/** Loads Playwright, which is installed only by users of chat pages. */
export function loadPlaywright(folder?: string): Playwright {
  const runtime = join(stateFolder(process.env), 'browser-runtime')
  const places =
    folder === undefined
      ? [[import.meta.url, PACKAGE] as const, [join(runtime, 'package.json'), PACKAGE] as const]
      : [[import.meta.url, resolve(folder)] as const]
  for (const [from, name] of places) {
    try {
      // A CommonJS package can be loaded from a folder.
      const { chromium } = createRequire(from)(name) as Partial<Playwright>
      if (chromium) return { chromium }
    } catch {
      // It is not installed, or the folder contains a different package.
    }
  }
  if (folder !== undefined)
    throw new ModelError(
      'refused',
      `No ${PACKAGE} in ${folder}. Use the folder that contains its package.json.`,
    )
  // A separate folder, because npm removes unknown packages from other folders.
  throw new ModelError(
    'refused',
    `A chat page requires ${PACKAGE}, which is not installed. Install it with: npm install --prefix '${runtime}' ${PACKAGE}@1`,
  )
}

const PACKAGE = 'playwright-core'
