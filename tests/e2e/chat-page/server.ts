import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'
import type { Site } from '@toolglot/agent/browser'

/**
 * The reply of the fake model behind the page: as a whole, or in pieces. `texts` are the messages
 * in the chat, in order.
 */
export type PageScript = (texts: readonly string[]) => string | AsyncIterable<string>

/** The current behavior of the page. */
export interface PageBehavior {
  /** True if a login is required and missing. */
  loggedOut?: boolean
  /** Sets a cookie, as pages do after a login. */
  cookie?: boolean
  /** Redirects to this address. */
  elsewhere?: string
  /** The status of the page itself. */
  status?: number
  /** The page answers with HTML. */
  answerStatus?: number
  /** An answer that is HTML. */
  html?: boolean
  /** Answers are JSON lines, each with the whole text so far. */
  lines?: boolean
  /** `new`: all names in the page are different. */
  layout?: 'new'
  /** A rich text editor instead of a textarea; `paste`: one that only accepts pasted text. */
  editor?: true | 'paste'
  maxLength?: number
  /**
   * `hangs`: the page never responds after a message. `lies`: its objects return arbitrary values.
   */
  hostile?: 'hangs' | 'lies'
  /** `old`: the copy button uses execCommand. */
  copy?: 'old'
}

/** A chat page on this machine, with a fake model behind it that follows a script. */
export interface ChatPage {
  readonly site: Site
  readonly behavior: PageBehavior
  /** All sent messages: the complete chats, in order. */
  readonly chats: readonly (readonly string[])[]
  /** The number of clicks on stop. */
  readonly stops: () => number
  /** The cookies that came with each message. */
  readonly cookies: () => readonly string[]
  /** Reloads every open page. */
  readonly reload: () => void
  /** The number of page loads. */
  readonly loads: () => number
}

// Tests of a file run at the same time, so their waiting times overlap.
const closing: (() => Promise<void>)[] = []
afterAll(() => Promise.all(closing.map((close) => close())))

/** Starts a chat page until the tests of the file have ended. */
export async function chatPage(script: PageScript, more: Partial<Site> = {}): Promise<ChatPage> {
  const behavior: PageBehavior = {}
  const chats: string[][] = []
  const cookies: string[] = []
  let stops = 0
  let loads = 0
  const listening = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    const { url = '/' } = request
    if (url === '/stopped') {
      stops++
      return void response.writeHead(204).end()
    }
    if (url === '/api/answer') return void answer(request, response).catch(() => response.destroy())
    if (url === '/reload') {
      listening.add(response.writeHead(200, { 'content-type': 'text/event-stream' }))
      return response.flushHeaders()
    }
    if (url === '/login') return html(response, 200, LOGIN)
    loads++
    if (behavior.elsewhere !== undefined)
      return void response.writeHead(302, { location: behavior.elsewhere }).end()
    if (behavior.loggedOut) return void response.writeHead(302, { location: '/login' }).end()
    if (behavior.status !== undefined)
      return html(response, behavior.status, '<h1>Bad gateway</h1>')
    if (behavior.cookie) response.setHeader('set-cookie', 'session=secret; Max-Age=3600')
    html(
      response,
      200,
      PAGE.replace('/* STATE */ {}', () => JSON.stringify(behavior)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  })
  const { port } = server.address() as AddressInfo
  const site: Site = {
    name: 'chat-page',
    address: `http://127.0.0.1:${port}/`,
    input: '#input',
    send: '#send',
    stop: '#stop',
    reply: '.reply',
    raw: { from: 'network', url: '/api/answer', text: 'delta.text' },
    loggedOut: { selector: '#login', url: '/login' },
    rateLimited: { selector: '#limit', text: 'too many messages' },
    failed: { selector: '#failure' },
    limits: { pause: 0, settle: 150, load: 20_000, start: 20_000, retryAfter: 1 },
    ...more,
  }
  const reload = (): void => {
    for (const response of listening) response.end('data: reload\n\n')
    listening.clear()
  }
  return {
    site,
    behavior,
    chats,
    stops: () => stops,
    loads: () => loads,
    cookies: () => cookies,
    reload,
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const { messages } = JSON.parse(body) as { messages: string[] }
    chats.push(messages)
    cookies.push(request.headers.cookie ?? '')
    const { answerStatus, html: isHtml } = behavior
    if (answerStatus !== undefined || isHtml)
      return html(response, answerStatus ?? 200, '<!doctype html><h1>Error</h1>')
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const reply = script(messages)
    let text = ''
    for await (const piece of typeof reply === 'string' ? pieces(reply) : reply) {
      if (response.destroyed) return
      text += piece
      const event = { type: 'delta', delta: { text: piece } }
      response.write(
        behavior.lines ? `${JSON.stringify({ text })}\n` : `data: ${JSON.stringify(event)}\n\n`,
      )
    }
    response.end(behavior.lines ? '' : 'data: [DONE]\n\n')
  }
}

/** The last message: a separate one, or the last one of a conversation in a single text. */
export function newestIn(texts: readonly string[]): string {
  return texts.at(-1)!.split('<|from user|>\n').at(-1)!
}

const PAGE = readFileSync(new URL('page.html', import.meta.url), 'utf8')

/** Returns to the chat as soon as the server allows it. */
const LOGIN =
  '<h1 id="login">Log in</h1><script>new EventSource("/reload").onmessage = () => location.assign("/")</script>'

function html(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(text)
}

/** A reply in small pieces, some of them after a pause. */
async function* pieces(reply: string): AsyncGenerator<string, void, void> {
  for (let at = 0; at < reply.length; at += 24) {
    yield reply.slice(at, at + 24)
    if (at % 96 === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
