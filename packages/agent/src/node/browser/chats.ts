import type { ChatMessage } from '../../model/chat-message.ts'
import { pause } from '../../time/pause.ts'
import { Chat } from './chat.ts'
import type { BrowserContext } from './playwright.ts'
import type { Site } from './site.ts'

/** The tabs of a site: one for each conversation that goes on, whichever run it belongs to. */
export interface Chats {
  /**
   * The chat that continues a conversation, and how many of its messages it holds; or a new one, which holds none. Nobody else
   * uses it until it is released.
   */
  take(
    messages: readonly ChatMessage[],
    options: TakeOptions,
  ): Promise<{ readonly chat: Chat; readonly held: number }>
  release(chat: Chat): void
}

/** Options of `take`. */
interface TakeOptions {
  readonly open: () => Promise<BrowserContext>
  readonly signal: AbortSignal
}

/** The tabs of a site in the browser of a profile. Every model of the site shares them. */
export function chatsOf(site: Site, profile: string): Chats {
  const key = JSON.stringify([profile, site])
  const known = allChats.get(key) ?? createChats(site)
  allChats.set(key, known)
  return known
}

const allChats = new Map<string, Chats>()

function createChats(site: Site): Chats {
  let chats: Chat[] = []
  /** Tabs that are being opened. */
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
      // A browser begins with an empty tab.
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

/** Tabs that some model uses. */
const taken = new WeakSet<object>()

/** How many conversations can go on at once. A page rarely allows more. */
const MAX_CHATS = 4
