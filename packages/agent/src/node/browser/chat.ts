import { pause, timeLimit, unlessAborted } from '../../time/time-limit.ts'
import type { ChatMessage } from '../../model/chat-message.ts'
import { ModelError } from '../../model/model-error.ts'
import { insertText } from './insert-text.ts'
import { checkPage, css, isOn, look, MAX_TEXT, type PageState, see } from './look.ts'
import { isTimeout, missing, reloaded, SelectorError, statusError } from './page-error.ts'
import type { BrowserContext, BrowserPage } from './playwright.ts'
import { startReading } from './raw/index.ts'
import { limitsOf, nameOf, type Site } from './site.ts'

/** The content of a page after an exchange: its messages and reply, and a state to compare with. */
interface Held {
  readonly messages: readonly string[]
  readonly state: PageState
}

/** A chat in a tab. */
export class Chat {
  readonly page: BrowserPage
  readonly #context: BrowserContext
  readonly #site: Site
  #held: Held | undefined
  /** The time at which the last reply ended. */
  #ended = -Infinity
  /** The number of documents that the tab has loaded. */
  #loads = 0
  isBusy = false
  lastUsed = 0

  constructor(context: BrowserContext, page: BrowserPage, site: Site) {
    this.#context = context
    this.page = page
    this.#site = site
    page.on('domcontentloaded', () => this.#loads++)
  }

  get isOpen(): boolean {
    return !this.page.isClosed()
  }

  /** The number of these messages that the page contains, or 0 if it contains different ones. */
  held(messages: readonly ChatMessage[]): number {
    const known = this.#held?.messages ?? []
    const isSame = known.every((one, at) => at < messages.length && one === printed(messages[at]!))
    return isSame && messages.length > known.length ? known.length : 0
  }

  /** True if the page has not changed since the last reply. */
  async isUnchanged(): Promise<boolean> {
    if (!this.#held) return false
    try {
      const { replies, text, isWriting } = await look(this.page, this.#site)
      const { state } = this.#held
      return replies === state.replies && text === state.text && !isWriting
    } catch {
      // The user logged out, or the page was reloaded or changed. A new chat will report the
      // problem.
      return false
    }
  }

  /** Opens an empty chat. */
  async begin(): Promise<void> {
    const site = this.#site
    const { load: timeout } = limitsOf(site)
    this.#held = undefined
    await openSite(this.page, site)
    if (site.newChat !== undefined) {
      try {
        await this.page.locator(css(site.newChat)).first().click({ timeout })
      } catch (error) {
        if (isTimeout(error))
          throw missing('newChat', site.newChat, 'a control that can be clicked')
        throw error
      }
    }
    await waitForInput(this.page, site)
  }

  /**
   * Inserts text into the page, sends it, and yields the reply in its original form as it arrives.
   */
  async *exchange(text: string, signal: AbortSignal): AsyncGenerator<string, void, void> {
    const { page } = this
    const site = this.#site
    const { pause: rest, settle, start } = limitsOf(site)
    this.#held = undefined
    await pause(Math.max(0, this.#ended + rest - performance.now()), signal)
    const before = await look(page, site)
    await insertText(page, site, text)
    const reader = await startReading({ context: this.#context, page, site, raw: site.raw })
    try {
      signal.throwIfAborted()
      await this.#send()
      const sent = performance.now()
      let last = before
      let changed = sent
      let shown = sent
      let hasBegun = false
      let loads = this.#loads
      let leastFinished = before.finished ?? 0
      for (;;) {
        await pause(POLL, signal)
        const state = await look(page, site)
        const part = reader.next()
        // Some pages reload to show the message, but not while the model replies.
        if (!hasBegun) loads = this.#loads
        else if (loads !== this.#loads || state.replies < last.replies) throw reloaded(nameOf(site))
        const isNew = !isSameState(state, last) || part !== ''
        hasBegun ||= part !== '' || state.replies > before.replies || state.text !== before.text
        if (isNew || state.isWriting) changed = performance.now()
        // An empty part signals activity, for models that think and for replies that are read at
        // the end.
        const isSilent = state.isWriting && performance.now() - shown > SIGN_OF_LIFE
        if ((isNew && hasBegun) || isSilent) {
          yield part
          shown = performance.now()
        }
        last = state
        const quiet = performance.now() - changed
        if (!hasBegun) {
          if (quiet > start) throw nothingCame(site)
          continue
        }
        const { finished = Infinity } = state
        leastFinished = Math.min(leastFinished, finished)
        const isFinished = !state.isWriting && finished > leastFinished
        if (!isFinished || quiet < settle) {
          if (!isFinished && !state.isWriting && quiet > start) throw neverFinished(site)
          continue
        }
        // A reply ends after a while even if its response stays open.
        if (reader.isComplete() || quiet >= settle + OPEN_RESPONSE) break
      }
      const end = await reader.rest()
      if (end.length > MAX_TEXT)
        throw new ModelError(
          'too_long',
          `The reply of ${nameOf(site)} exceeds ${MAX_TEXT} characters.`,
        )
      if (end !== '') yield end
      this.#ended = performance.now()
    } finally {
      reader.close()
    }
  }

  /** Stores the content of the page after an exchange. */
  async hold(messages: readonly ChatMessage[], reply: string): Promise<void> {
    const assistant = { role: 'assistant', content: reply } as const
    const state = await look(this.page, this.#site)
    this.#held = { messages: [...messages, assistant].map(printed), state }
  }

  /** Clicks the stop control if a reply is being written. A page that does not react is closed. */
  async stop(): Promise<void> {
    this.#held = undefined
    const { stop } = this.#site
    const limit = timeLimit(STOP_TIMEOUT)
    try {
      await unlessAborted(limit.signal, this.#pressStop(stop))
    } catch {
      // The page was closed, or it hangs.
      void this.page.close().catch(() => undefined)
    } finally {
      limit.end()
    }
  }

  async #pressStop(stop: string | undefined): Promise<void> {
    if (!this.isOpen || stop === undefined) return
    if ((await see(this.page, 'stop', stop)).visible === 0) return
    await this.page.locator(css(stop)).first().click({ timeout: STOP_TIMEOUT })
  }

  async #send(): Promise<void> {
    const { page } = this
    const site = this.#site
    // The page may have navigated, and the text must not be sent to another address.
    if (!isOn(page.url(), site)) await checkPage(page, site)
    if (site.key !== undefined) return page.keyboard.press(site.key)
    try {
      await page
        .locator(css(site.send!))
        .first()
        .click({ timeout: limitsOf(site).load })
    } catch (error) {
      if (isTimeout(error)) throw missing('send', site.send!, 'a control that can be clicked')
      throw error
    }
  }
}

/**
 * Opens the address of a site. Throws a ModelError if the response is an error or the page is not
 * the chat.
 */
export async function openSite(page: BrowserPage, site: Site): Promise<void> {
  const { load: timeout } = limitsOf(site)
  let status: number | undefined
  try {
    const response = await page.goto(site.address, { timeout, waitUntil: 'domcontentloaded' })
    status = response?.status()
  } catch (error) {
    if (!isTimeout(error)) throw error
    throw new ModelError(
      'unavailable',
      `The page of ${nameOf(site)} did not load within ${timeout / 1000} s: check the network, or raise limits.load in the site file.`,
    )
  }
  if (status !== undefined && status >= 400) {
    // If the page requires a login, this throws a more helpful error.
    await checkPage(page, site)
    throw statusError(`The page of ${nameOf(site)} answered`, status, {
      retryAfter: limitsOf(site).retryAfter,
      later: ': try again later.',
      advice: REFUSED,
    })
  }
}

/** Waits until the input of a page is ready. Throws a ModelError that explains the problem. */
export async function waitForInput(page: BrowserPage, site: Site): Promise<void> {
  const { load } = limitsOf(site)
  const end = performance.now() + load
  for (;;) {
    const input = await look(page, site).then(() => see(page, 'input', site.input))
    if (input.visible > 0) return
    if (performance.now() > end)
      throw missing('input', site.input, 'a textarea or a contenteditable element')
    await new Promise((resolve) => setTimeout(resolve, POLL))
  }
}

/** The interval for checking the page, in milliseconds. */
const POLL = 100

/** The time for a response to end after the page shows a finished reply, in milliseconds. */
const OPEN_RESPONSE = 5000

const STOP_TIMEOUT = 5000

/**
 * The interval of the empty parts that signal activity, in milliseconds. The whole reply has its
 * own limit.
 */
const SIGN_OF_LIFE = 10_000

function printed(message: ChatMessage): string {
  return JSON.stringify([message.role, message.content])
}

function isSameState(one: PageState, other: PageState): boolean {
  return one.replies === other.replies && one.text === other.text
}

function nothingCame(site: Site): SelectorError {
  return new SelectorError(
    'reply',
    `No reply from ${nameOf(site)} matched reply (${site.reply}) within ${limitsOf(site).start / 1000} s. Either the message was not sent (${site.send === undefined ? 'key' : 'send'}), or the page has changed. Test the site file with: toolglot site FILE`,
  )
}

function neverFinished(site: Site): SelectorError {
  return new SelectorError(
    'finished',
    `No element matches finished (${site.finished}) after the reply of ${nameOf(site)}. Correct finished in the site file, or remove it.`,
  )
}

const REFUSED =
  ': check the address in the site file. Some pages refuse hidden browsers: set window to true, and log in with: toolglot site FILE --login'
