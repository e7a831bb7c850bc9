import { ModelError } from '../../model/model-error.ts'
import { pause, timeLimit, unlessAborted } from '../../time/time-limit.ts'
import { type BrowserOptions, launchOptions } from './browser-model.ts'
import { Chat, openSite, waitForInput } from './chat.ts'
import { checkPage, see, asText } from './look.ts'
import { closeBrowser, openBrowser, holdProcess } from './open-browser.ts'
import { pageError, SelectorError } from './page-error.ts'
import type { BrowserPage } from './playwright.ts'
import { CODE_NOTE } from './raw/code.ts'
import { nameOf, parseSite, type Site } from './site.ts'

/** One step in checking a site file. */
export interface SiteStep {
  /** The field of the site file, or the action. */
  readonly name: string
  readonly status: 'ok' | 'warning' | 'broken'
  /** The finding or the problem. May contain text from the page. */
  readonly says: string
  /** Advice for a problem. */
  readonly advice?: string
}

/**
 * Checks a site file: opens the page, tries each selector, and sends a short message. Stops after
 * the first step that fails.
 */
export async function* checkSite(
  options: BrowserOptions & { readonly signal: AbortSignal },
): AsyncGenerator<SiteStep, void, void> {
  const { signal } = options
  const site = parseSite(options.site)
  const launch = launchOptions({ ...options, site })
  let page: BrowserPage | undefined
  /** The current step. */
  let trying = 'browser'
  const on = <Value>(work: Promise<Value>): Promise<Value> => unlessAborted(signal, work)
  const letGo = holdProcess()
  try {
    const context = await on(openBrowser(launch))
    yield { name: 'browser', status: 'ok', says: `opened with the profile ${launch.profile}` }
    trying = 'address'
    const tab = (page = await on(context.newPage()))
    await on(openSite(tab, site))
    await on(checkPage(tab, site))
    yield { name: 'address', status: 'ok', says: `opened ${site.address}` }
    trying = 'input'
    await on(waitForInput(tab, site))
    yield { name: 'input', status: 'ok', says: 'found' }
    const chat = new Chat(context, tab, site)
    if (site.newChat !== undefined) {
      await on(chat.begin())
      yield { name: 'newChat', status: 'ok', says: 'clicked' }
    }
    trying = 'message'
    yield* converse(chat, site, signal)
  } catch (error) {
    signal.throwIfAborted()
    const problem = pageError(error, nameOf(site))
    if (!(problem instanceof ModelError)) throw problem
    yield await brokenStep(problem, trying, page)
  } finally {
    await closeBrowser(launch.profile)
    letGo()
  }
}

/** Sends a short message with a tag that pages often remove. */
async function* converse(
  chat: Chat,
  site: Site,
  signal: AbortSignal,
): AsyncGenerator<SiteStep, void, void> {
  const { raw, stop } = site
  const text = raw.from === 'code' ? `${CODE_NOTE}\n\n${QUESTION}` : QUESTION
  const watch = new AbortController()
  const stopSeen = stop === undefined ? undefined : watchFor(chat.page, stop, watch.signal)
  let reply = ''
  let parts = 0
  try {
    const exchange = chat.exchange(text, signal)
    for (;;) {
      const { done, value } = await unlessAborted(signal, exchange.next())
      if (done) break
      if (value !== '') parts++
      reply += value
    }
  } finally {
    watch.abort()
  }
  yield {
    name: site.send === undefined ? 'key' : 'send',
    status: 'ok',
    says: 'the message was sent',
  }
  const streamed = raw.from === 'network' ? `, in ${parts} parts` : ''
  yield { name: 'reply', status: 'ok', says: `${reply.length} characters${streamed}` }
  if (stopSeen)
    yield (await stopSeen)
      ? { name: 'stop', status: 'ok', says: 'visible while the reply was written, then gone' }
      : {
          name: 'stop',
          status: 'warning',
          says: `never visible (${stop})`,
          advice: 'the reply may have been too quick; otherwise correct stop',
        }
  yield /<TOOL_CALL>\s*ok\s*<\/TOOL_CALL>/.test(reply)
    ? { name: `raw (${raw.from})`, status: 'ok', says: 'tags survive' }
    : {
        name: `raw (${raw.from})`,
        status: 'warning',
        says: `the reply does not contain <TOOL_CALL>ok</TOOL_CALL>, but: ${reply.slice(0, 200)}`,
        advice:
          'either the model wrote something else, or the page removed the tags: try another source in raw',
      }
}

const SUGGEST_TIMEOUT = 3000

const QUESTION =
  'This is a test. Reply with exactly this line and nothing else, as a call:\n<TOOL_CALL>ok</TOOL_CALL>'

/** Returns true if an element becomes visible before the signal is aborted. */
async function watchFor(page: BrowserPage, stop: string, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    try {
      if ((await see(page, 'stop', stop)).visible > 0) return true
      await pause(30, signal)
    } catch {
      // The exchange ended, or it failed and reports the reason itself.
      return false
    }
  }
  return false
}

async function brokenStep(
  problem: ModelError,
  trying: string,
  page: BrowserPage | undefined,
): Promise<SiteStep> {
  const field = problem instanceof SelectorError ? problem.field : trying
  const limit = timeLimit(SUGGEST_TIMEOUT)
  // The page hangs.
  const found = page ? await unlessAborted(limit.signal, suggest(page, field)).catch(() => []) : []
  limit.end()
  return {
    name: field,
    status: 'broken',
    says: problem.message,
    ...(found.length > 0 && { advice: `the page has: ${found.join('   ')}` }),
  }
}

/** The words that pages use for each selector's element. */
const WANTED: Readonly<Record<string, Wanted>> = {
  input: { elements: 'textarea, [contenteditable="true"], [role="textbox"]', words: [] },
  send: { elements: 'button, [role="button"]', words: ['send', 'submit'] },
  stop: { elements: 'button, [role="button"]', words: ['stop', 'cancel'] },
  newChat: { elements: 'a, button, [role="button"]', words: ['new chat', 'new-chat', 'new'] },
  'raw.button': { elements: 'button, [role="button"]', words: ['copy'] },
  reply: {
    elements: '[class], [data-testid]',
    words: ['assistant', 'reply', 'markdown', 'message'],
  },
}

interface Wanted {
  readonly elements: string
  /** Words in a label or another attribute. If empty, any element matches. */
  readonly words: readonly string[]
}

/** Finds selectors on the current page that might be right for a field of a site file. */
async function suggest(page: BrowserPage, field: string): Promise<readonly string[]> {
  const wanted = Object.hasOwn(WANTED, field) ? WANTED[field] : undefined
  if (!wanted || page.isClosed()) return []
  // The page was closed.
  const found: unknown = await page.evaluate(findSelectors, wanted).catch(() => [])
  if (!Array.isArray(found)) return []
  return found.flatMap((each) => asText(each)?.slice(0, 200) ?? []).slice(0, 3)
}

/** The properties of an element used here. */
interface PageElement {
  readonly localName: string
  getAttribute(name: string): string | null
  checkVisibility?: () => boolean
}

/** Runs in the page. */
function findSelectors({ elements, words }: Wanted): string[] {
  const page = globalThis as unknown as {
    readonly document: { querySelectorAll(selector: string): Iterable<PageElement> }
    readonly CSS: { escape(text: string): string }
  }
  const found = new Set<string>()
  for (const element of page.document.querySelectorAll(elements)) {
    if (found.size >= 3) break
    if (element.checkVisibility?.() === false) continue
    for (const name of ['data-testid', 'aria-label', 'id', 'name', 'class']) {
      const value = element.getAttribute(name)?.trim()
      if (!value || value.length > 80) continue
      if (words.length > 0 && !words.some((word) => value.toLowerCase().includes(word))) continue
      const first = value.split(/\s/)[0]!
      const suffix =
        name === 'class' ? `.${page.CSS.escape(first)}` : `[${name}=${JSON.stringify(value)}]`
      found.add(element.localName + suffix)
      break
    }
    if (words.length === 0 && found.size === 0) found.add(element.localName)
  }
  return [...found]
}
