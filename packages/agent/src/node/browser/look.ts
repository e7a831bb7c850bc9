import { ModelError } from '../../model/model-error.ts'
import { plainLine } from '../../model/plain-line.ts'
import { isGone, SelectorError, shownAddress } from './page-error.ts'
import type { BrowserPage } from './playwright.ts'
import { limitsOf, nameOf, type Sign, type Site } from './site.ts'

/** The visible state of a page. */
export interface PageState {
  /** The number of replies. */
  readonly replies: number
  /** The visible text of the last reply. */
  readonly text: string
  /** True if the stop control is visible. */
  readonly isWriting: boolean
  /** The number of elements that mark a finished reply, or undefined if the site defines none. */
  readonly finished: number | undefined
}

/** The visible state of the elements that match a selector. */
export interface Seen {
  readonly count: number
  readonly visible: number
  /** The text of the last element. */
  readonly text: string
  /** The first visible element that contains the text in question. */
  readonly found: string | undefined
}

/**
 * Reads the state of a page. Throws a ModelError if the page is not the chat or shows a problem.
 */
export async function look(page: BrowserPage, site: Site): Promise<PageState> {
  await checkPage(page, site)
  const [replies, stop, finished] = await Promise.all([
    see(page, 'reply', site.reply),
    site.stop === undefined ? undefined : see(page, 'stop', site.stop),
    site.finished === undefined ? undefined : see(page, 'finished', site.finished),
  ])
  return {
    replies: replies.count,
    text: replies.text,
    isWriting: stop !== undefined && stop.visible > 0,
    finished: finished?.visible,
  }
}

/**
 * Throws a ModelError if the page belongs to another site, no user is logged in, or the page shows
 * an error.
 */
export async function checkPage(page: BrowserPage, site: Site): Promise<void> {
  const name = nameOf(site)
  const url = page.url()
  const [loggedOut, rateLimited, failed] = await Promise.all([
    findSign(page, 'loggedOut', site.loggedOut),
    findSign(page, 'rateLimited', site.rateLimited),
    findSign(page, 'failed', site.failed),
  ])
  if (loggedOut !== undefined)
    throw new ModelError(
      'refused',
      `Nobody is logged in to ${name}. Log in with: toolglot site FILE --login. Then resume the run.`,
    )
  if (!isOn(url, site))
    throw new ModelError(
      'refused',
      `The page of ${name} left ${new URL(site.address).origin} for ${shownAddress(url)}. Log in again with: toolglot site FILE --login, or correct the address in the site file.`,
    )
  if (rateLimited !== undefined)
    throw new ModelError(
      'rate_limited',
      `${name} does not accept more messages for now${says(rateLimited)}. Wait, then resume the run.`,
      { retryAfter: limitsOf(site).retryAfter },
    )
  if (failed !== undefined)
    throw new ModelError('unavailable', `The page of ${name} reports a failure${says(failed)}.`)
}

function says(text: string): string {
  const line = plainLine(text, 120)
  return line === '' ? '' : `: "${line}"`
}

/** True if an address belongs to the site. Text is never inserted into pages of other sites. */
export function isOn(url: string, { address }: Pick<Site, 'address'>): boolean {
  return URL.canParse(url) && new URL(url).origin === new URL(address).origin
}

/** Finds the elements that match a selector. Throws a SelectorError if the selector is invalid. */
export async function see(
  page: BrowserPage,
  field: string,
  selector: string,
  wanted = '',
): Promise<Seen> {
  for (let attempt = 1; ; attempt++) {
    try {
      // One character more than the maximum, to detect a reply that is too long.
      const wanting = { maxLength: MAX_TEXT + 1, wanted: wanted.toLowerCase() }
      return checked(await page.locator(css(selector)).evaluateAll(describe, wanting))
    } catch (error) {
      // The page was closed or is loading another document, or the selector is invalid.
      const message = (error as Error).message
      if (isGone(message)) throw error
      if (!/context was destroyed|navigat/i.test(message)) throw notCss(field, selector, message)
      if (attempt > MAX_LOADS) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

/**
 * A page can change the behavior of its objects, so its results are converted to the expected
 * types.
 */
function checked(seen: { readonly [name in keyof Seen]?: unknown } | undefined): Seen {
  const { count, visible, text, found } = seen ?? {}
  return {
    count: Number(count) || 0,
    visible: Number(visible) || 0,
    text: asText(text) ?? '',
    found: asText(found),
  }
}

/** The value if it is a string, or else undefined. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, MAX_TEXT + 1) : undefined
}

/** The maximum number of attempts while a page is loading. */
const MAX_LOADS = 50

function notCss(field: string, selector: string, message: string): SelectorError {
  return new SelectorError(
    field,
    `${field} is not a CSS selector: ${plainLine(selector, 100)} (${plainLine(message)})`,
  )
}

/** Marks a selector so that it is always parsed as CSS. */
export function css(selector: string): string {
  return `css=${selector}`
}

/** The text of a sign on the page, or undefined if the sign is absent. */
async function findSign(
  page: BrowserPage,
  field: string,
  sign: Sign | undefined,
): Promise<string | undefined> {
  if (!sign) return undefined
  if (sign.url !== undefined && shownAddress(page.url()).includes(sign.url)) return ''
  if (sign.selector === undefined) return undefined
  return (await see(page, `${field}.selector`, sign.selector, sign.text)).found
}

/** The properties of an element used here. */
interface PageElement {
  readonly innerText?: string
  readonly textContent: string | null
  readonly checkVisibility?: (options: object) => boolean
}

/** Runs in the page, so it must not reference anything outside this function. */
function describe(
  elements: PageElement[],
  { maxLength, wanted }: { readonly maxLength: number; readonly wanted: string },
): Seen {
  const textOf = (element: PageElement | undefined): string =>
    (element?.innerText ?? element?.textContent ?? '').slice(0, maxLength)
  const visible = elements.filter(
    (element) => element.checkVisibility?.({ visibilityProperty: true }) ?? true,
  )
  const found = visible.find((element) => textOf(element).toLowerCase().includes(wanted))
  return {
    count: elements.length,
    visible: visible.length,
    text: textOf(elements.at(-1)),
    found: found && textOf(found).slice(0, 1000),
  }
}

/** A longer reply is an error, as with all models. */
export const MAX_TEXT: number = 2 << 20
