import { ModelError } from '../../../model/model-error.ts'
import { plainLine } from '../../../model/plain-line.ts'
import { reloaded, SelectorError, shownAddress, statusError } from '../page-error.ts'
import { limitsOf, nameOf, type RawText } from '../site.ts'
import { createEventText } from './event-text.ts'
import type { RawPage, RawReader } from './index.ts'

/** Watches the network response with the next reply. The page cannot detect this. */
export async function watchNetwork({
  context,
  page,
  site,
  raw,
}: RawPage<Extract<RawText, { from: 'network' }>>): Promise<RawReader> {
  const name = nameOf(site)
  const session = await context.newCDPSession(page)
  const text = createEventText(raw)
  const decoder = new TextDecoder()
  /** Other requested addresses, for the error message if no response matches. */
  const others = new Set<string>()
  let id: string | undefined
  let arrived = ''
  let hasText = false
  let isEnded = false
  /**
   * True if the page cancelled the response, because it needs no more data or is loading another
   * document.
   */
  let isCanceled = false
  let isLeft = false
  let problem: Error | undefined
  /** Data received while the buffered data is still being fetched. It follows the buffered data. */
  let early: string[] | undefined = []
  let opening: Promise<void> | undefined

  const attempt = (work: () => string): void => {
    try {
      const added = work()
      hasText ||= added !== ''
      arrived += added
    } catch (error) {
      // The response is too long or garbled, which is reported to the reader.
      problem ??= error as Error
    }
  }
  const take = (base64: string): void =>
    attempt(() => text.feed(decoder.decode(Buffer.from(base64, 'base64'), { stream: true })))
  const end = (): void => {
    attempt(() => text.feed(decoder.decode()) + text.end())
    isEnded = true
  }

  const listeners: readonly (readonly [string, (event: never) => void])[] = [
    ['Network.requestWillBeSent', onRequest],
    ['Network.responseReceived', onResponse],
    ['Network.dataReceived', onData],
    ['Network.loadingFinished', onFinished],
    ['Network.loadingFailed', onFailed],
    ['Page.frameNavigated', onNavigated],
  ]
  for (const [event, listener] of listeners) session.on(event, listener)
  await session.send('Network.enable')
  await session.send('Page.enable')

  return {
    next() {
      if (problem) throw problem
      const part = arrived
      arrived = ''
      return part
    },
    isComplete: () => isEnded || id === undefined || problem !== undefined,
    async rest() {
      if (problem) throw problem
      if (id === undefined) throw notFound()
      if (!hasText && arrived === '') throw noText()
      const part = arrived
      arrived = ''
      return part
    },
    close() {
      // The page may be closed.
      session.detach().catch(() => undefined)
    },
  }

  function onRequest({ requestId, request }: NetworkRequest): void {
    // OPTIONS requests only ask another host for permission.
    if (id !== undefined || request.method === 'OPTIONS') return
    if (request.url.includes(raw.url)) id = requestId
    else if (others.size < 5 && request.method === 'POST') others.add(shownAddress(request.url))
  }

  function onResponse({ requestId, response }: NetworkResponse): void {
    if (requestId !== id) return
    const { status } = response
    if (status >= 400) {
      problem = statusError(`The server behind ${name} answered the page`, status, {
        retryAfter: limitsOf(site).retryAfter,
        later: '.',
        advice: '. Log in again with: toolglot site FILE --login. Then resume the run.',
      })
      return
    }
    opening = open(requestId)
  }

  async function open(requestId: string): Promise<void> {
    let buffered: string
    try {
      const answer = await session.send('Network.streamResourceContent', { requestId })
      buffered = (answer as { bufferedData: string }).bufferedData
    } catch {
      // The response has already ended, so its data is complete.
      early = []
      const answer = await session
        .send('Network.getResponseBody', { requestId })
        .catch((error: unknown) => {
          problem ??= new ModelError('cut_off', `The reply of ${name} was lost: ${lineOf(error)}`)
        })
      const { body = '', base64Encoded = false } = (answer ?? {}) as Partial<NetworkBody>
      buffered = base64Encoded ? body : Buffer.from(body).toString('base64')
    }
    const waiting = early ?? []
    early = undefined
    for (const data of [buffered, ...waiting]) take(data)
  }

  function onData({ requestId, data }: NetworkData): void {
    if (requestId !== id || data === undefined) return
    if (early) early.push(data)
    else take(data)
  }

  function onFinished({ requestId }: NetworkEnd): void {
    if (requestId === id) void (opening ?? Promise.resolve()).then(end)
  }

  function onFailed({ requestId, canceled }: NetworkEnd & { canceled?: boolean }): void {
    if (requestId !== id) return
    if (canceled) isCanceled = true
    else problem ??= new ModelError('cut_off', `The connection of the page of ${name} broke off.`)
    if (isCanceled && isLeft) problem ??= reloaded(name)
    void (opening ?? Promise.resolve()).then(end)
  }

  function onNavigated({ frame }: Navigation): void {
    if (frame.parentId !== undefined || id === undefined) return
    isLeft = true
    if (isCanceled) problem ??= reloaded(name)
  }

  function notFound(): SelectorError {
    const seen = others.size === 0 ? 'nothing' : [...others].join(', ')
    return new SelectorError(
      'raw.url',
      `The page of ${name} requested no address that contains raw.url (${plainLine(raw.url, 100)}). It requested ${seen}. Correct raw.url in the site file.`,
    )
  }

  function noText(): SelectorError {
    return new SelectorError(
      'raw.text',
      `No text at raw.text (${plainLine(raw.text, 100)}) in the response behind ${name}: ${text.events} events without it. Correct raw.text or raw.events in the site file.`,
    )
  }
}

function lineOf(error: unknown): string {
  return plainLine(error instanceof Error ? error.message : String(error))
}

interface NetworkRequest {
  readonly requestId: string
  readonly request: { readonly url: string; readonly method: string }
}

interface NetworkResponse {
  readonly requestId: string
  readonly response: { readonly status: number }
}

interface NetworkData {
  readonly requestId: string
  readonly data?: string
}

interface NetworkBody {
  readonly body: string
  readonly base64Encoded: boolean
}

interface NetworkEnd {
  readonly requestId: string
}

interface Navigation {
  readonly frame: { readonly parentId?: string }
}
