import { join } from 'node:path'
import { foldConversation } from '../../context/fold-conversation.ts'
import { checkRequest } from '../../model/check-request.ts'
import type { ChatMessage } from '../../model/chat-message.ts'
import type { ConnectProgress } from '../../model/find/connect-options.ts'
import type { Model, ModelChunk } from '../../model/model.ts'
import { startReply } from '../../model/timed-reply.ts'
import { unlessAborted } from '../../time/unless-aborted.ts'
import { stateFolder } from '../state-folder.ts'
import type { Chat } from './chat.ts'
import { type Chats, chatsOf } from './chats.ts'
import { isBrowserOpen, type LaunchOptions, openBrowser } from './open-browser.ts'
import { pageError } from './page-error.ts'
import { holdProcess } from './process-end.ts'
import type { BrowserContext } from './playwright.ts'
import { CODE_NOTE } from './raw/code.ts'
import { nameOf, parseSite, type Site } from './site.ts'

/** How a chat page is used as a model. */
export interface BrowserOptions extends Omit<LaunchOptions, 'profile' | 'headless'> {
  readonly site: Site
  /** The folder of the profile, which holds the cookies of the person. Default: one per site. */
  readonly profile?: string | undefined
  /** Whether no window is shown. Default: the site's `window`. */
  readonly headless?: boolean | undefined
  /** How long the page may show nothing new, in milliseconds. */
  readonly idleTimeout?: number | undefined
  /** How long a whole reply may take, in milliseconds. */
  readonly timeout?: number | undefined
  /** Called before the browser is opened. */
  readonly onProgress?: ((progress: ConnectProgress) => void) | undefined
}

/**
 * A chat page in a real browser, as a model: the conversation goes in as one text, and the reply is read back as the model wrote
 * it. The browser is opened with the first request, and closes when the process ends.
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
        // A failure caused by aborting is reported as the reason for aborting.
        timed.throwIfAborted()
        throw pageError(error, name)
      } finally {
        timed.end()
        letGo()
        if (done) chats.release(done)
        // Whoever stopped it does not wait for the page.
        else void leave(taking, parts)
      }
    },
  }

  /** Stops what the page still does, and gives it free. */
  async function leave(
    taking: ReturnType<Chats['take']>,
    parts: AsyncGenerator | undefined,
  ): Promise<void> {
    try {
      const { chat } = await taking
      // It ends by itself, as soon as the page reacts.
      parts?.return(undefined).catch(() => undefined)
      await chat.stop()
      chats.release(chat)
    } catch {
      // There was no chat to begin with.
    }
  }

  /** What the page has not been sent yet, as one text. */
  function textOf(messages: readonly ChatMessage[], held: number): string {
    const text = foldConversation(messages.slice(held))
    return held === 0 && site.raw.from === 'code' ? `${CODE_NOTE}\n\n${text}` : text
  }
}

/** What the environment says about browsers. */
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

/** How the browser of a site is opened. The environment says what is not given. */
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

/** The folder of the profile for a site, from the environment. */
export function profileOf(
  { address }: Pick<Site, 'address'>,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const host = new URL(address).host.replaceAll(/[^a-z0-9.-]/gi, '_')
  return join(stateFolder(env), 'browser', host)
}
