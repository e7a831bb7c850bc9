import { join } from 'node:path'
import { foldConversation } from '../../context/fold-conversation.ts'
import { checkRequest } from '../../model/check-request.ts'
import type { ChatMessage } from '../../model/chat-message.ts'
import type { ConnectProgress } from '../../model/find/kinds/kind.ts'
import type { Model, ModelChunk } from '../../model/model.ts'
import { startReply } from '../../model/timed-reply.ts'
import { unlessAborted, pause } from '../../time/time-limit.ts'
import { stateFolder } from '../state-folder.ts'
import { Chat } from './chat.ts'
import { isBrowserOpen, type LaunchOptions, openBrowser, holdProcess } from './open-browser.ts'
import { pageError } from './page-error.ts'
import type { BrowserContext } from './playwright.ts'
import { CODE_NOTE } from './raw/code.ts'
import { nameOf, parseSite, type Site } from './site.ts'

/** Options for a chat page as a model. */
export interface BrowserOptions extends Omit<LaunchOptions, 'profile' | 'headless'> {
  readonly site: Site
  /** The folder of the profile, which contains the user's cookies. Default: one folder per site. */
  readonly profile?: string | undefined
  /** Hide the window. Default: the site's `window`. */
  readonly headless?: boolean | undefined
  /** The maximum time without new text on the page, in milliseconds. */
  readonly idleTimeout?: number | undefined
  /** The maximum total time for a reply, in milliseconds. */
  readonly timeout?: number | undefined
  /** Called before the browser opens. */
  readonly onProgress?: ((progress: ConnectProgress) => void) | undefined
}

/**
 * Uses a chat page in a real browser as a model: the conversation is sent as one string, and the
 * reply is read in its original form. The browser opens with the first request and closes when the
 * process ends.
 */
export function browserModel(options: BrowserOptions): Model {
  const { idleTimeout, timeout } = options
  const site = parseSite(options.site)
  const name = nameOf(site)
  const launch = launchOptions({ ...options, site })
  const chats = chatsOf(site, launch.profile)
  const open = (): Promise<BrowserContext> => {
    if (!isBrowserOpen(launch.profile))
      options.onProgress?.({ text: `opening ${name} in a browser` })
    return openBrowser(launch)
  }

  return {
    name,
    provider: 'browser',
    roles: ['system'],

    async *reply(request) {
      checkRequest({ name }, request)
      const { messages } = request
      const timed = startReply(request, { name, idleTimeout, timeout })
      const { signal } = timed
      const taking = chats.take(messages, { open, signal })
      const letGo = holdProcess()
      let parts: AsyncGenerator<string, void, void> | undefined
      let done: Chat | undefined
      try {
        const { chat, held } = await timed.waitFor(unlessAborted(signal, taking))
        parts = chat.exchange(textOf(messages, held), signal)
        let reply = ''
        for (;;) {
          const part = await timed.waitFor(unlessAborted(signal, parts.next()))
          if (part.done) break
          reply += part.value
          yield { type: 'text', delta: part.value } satisfies ModelChunk
        }
        await unlessAborted(signal, chat.hold(messages, reply))
        done = chat
        yield { type: 'finish', finish: 'stop' }
      } catch (error) {
        // Report the reason of an abort instead of the failure it caused.
        timed.throwIfAborted()
        throw pageError(error, name)
      } finally {
        timed.end()
        letGo()
        if (done) chats.release(done)
        // An abort does not wait for the page to react.
        else void leave(taking, parts)
      }
    },
  }

  /** Stops the reply on the page and releases the chat. */
  async function leave(
    taking: ReturnType<Chats['take']>,
    parts: AsyncGenerator | undefined,
  ): Promise<void> {
    try {
      const { chat } = await taking
      // The generator ends on its own once the page reacts.
      parts?.return(undefined).catch(() => undefined)
      await chat.stop()
      chats.release(chat)
    } catch {
      // No chat was opened.
    }
  }

  /** The new messages as one string. */
  function textOf(messages: readonly ChatMessage[], held: number): string {
    const text = foldConversation(messages.slice(held))
    return held === 0 && site.raw.from === 'code' ? `${CODE_NOTE}\n\n${text}` : text
  }
}

/** The environment's settings for browsers. */
export function browserEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  site: Site,
): Omit<BrowserOptions, 'site'> {
  const { TOOLGLOT_BROWSER, TOOLGLOT_PLAYWRIGHT, TOOLGLOT_BROWSER_SANDBOX } = env
  return {
    profile: profileOf(site, env),
    executablePath: TOOLGLOT_BROWSER?.trim() || undefined,
    playwright: TOOLGLOT_PLAYWRIGHT?.trim() || undefined,
    sandbox: TOOLGLOT_BROWSER_SANDBOX?.trim() !== 'off',
  }
}

/** The options for opening a site's browser, including settings from the environment. */
export function launchOptions({
  site,
  headless = !site.window,
  ...given
}: BrowserOptions): LaunchOptions {
  const env = browserEnvironment(process.env, site)
  return {
    profile: given.profile ?? profileOf(site),
    headless,
    executablePath: given.executablePath ?? env.executablePath,
    playwright: given.playwright ?? env.playwright,
    sandbox: given.sandbox ?? env.sandbox,
  }
}

/** The folder of the profile for a site, based on the environment. */
export function profileOf(
  { address }: Pick<Site, 'address'>,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const host = new URL(address).host.replaceAll(/[^a-z0-9.-]/gi, '_')
  return join(stateFolder(env), 'browser', host)
}

/** The tabs of a site. Each tab has one conversation of any run. */
export interface Chats {
  /**
   * Returns a chat that already contains the beginning of the conversation, with the number of
   * messages in it, or else a new and empty chat. The chat is exclusive until it is released.
   */
  take(
    messages: readonly ChatMessage[],
    options: TakeOptions,
  ): Promise<{ readonly chat: Chat; readonly held: number }>
  release(chat: Chat): void
}

/** Options for `Chats.take`. */
interface TakeOptions {
  readonly open: () => Promise<BrowserContext>
  readonly signal: AbortSignal
}

/** The tabs of a site in a profile's browser, shared by all models of the site. */
export function chatsOf(site: Site, profile: string): Chats {
  const key = JSON.stringify([profile, site])
  const known = allChats.get(key) ?? createChats(site)
  allChats.set(key, known)
  return known
}

const allChats = new Map<string, Chats>()

function createChats(site: Site): Chats {
  let chats: Chat[] = []
  /** The number of tabs being opened. */
  let opening = 0
  let uses = 0

  return {
    async take(messages, { open, signal }) {
      for (;;) {
        chats = chats.filter((chat) => chat.isOpen || chat.isBusy)
        const idle = chats.filter((chat) => !chat.isBusy)
        const known = idle.find((chat) => chat.held(messages) > 0)
        if (known) {
          use(known)
          if (await known.isUnchanged()) return { chat: known, held: known.held(messages) }
          return begin(open, known)
        }
        if (chats.length + opening < MAX_CHATS) return begin(open)
        const oldest = idle.sort((one, other) => one.lastUsed - other.lastUsed)[0]
        if (oldest) return begin(open, use(oldest))
        await pause(100, signal)
      }
    },
    release(chat) {
      chat.isBusy = false
    },
  }

  function use(chat: Chat): Chat {
    chat.isBusy = true
    chat.lastUsed = uses++
    return chat
  }

  async function begin(open: TakeOptions['open'], old?: Chat): Promise<{ chat: Chat; held: 0 }> {
    const chat = old?.isOpen ? old : await add(open, old)
    try {
      await chat.begin()
      return { chat, held: 0 }
    } catch (error) {
      chat.isBusy = false
      throw error
    }
  }

  async function add(open: TakeOptions['open'], old: Chat | undefined): Promise<Chat> {
    chats = chats.filter((chat) => chat !== old)
    opening++
    try {
      const context = await open()
      // A new browser starts with an empty tab.
      const empty = context.pages().find((page) => page.url() === 'about:blank' && !taken.has(page))
      const page = empty ?? (await context.newPage())
      taken.add(page)
      const chat = use(new Chat(context, page, site))
      chats.push(chat)
      return chat
    } finally {
      opening--
    }
  }
}

/** The tabs in use. */
const taken = new WeakSet<object>()

/** The maximum number of concurrent conversations. Few pages allow more. */
const MAX_CHATS = 4
