import { type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'

/**
 * A `fetch` for slow model servers. It waits for a response while the connection is open, whereas
 * Node's `fetch` gives up after five minutes. Unread data stays with the sender instead of filling
 * the memory. Supports only URLs and text bodies, and returns redirects instead of following them.
 */
export const patientFetch: typeof fetch = async (input, init = {}) => {
  const { signal, body: sent = null } = init
  if (input instanceof Request || (sent !== null && typeof sent !== 'string'))
    throw new TypeError('patientFetch supports only a URL and a text body.')
  signal?.throwIfAborted()
  try {
    const incoming = await send(new URL(input), init)
    const { statusCode: status = 0 } = incoming
    const onCancel = (): void => void incoming.destroy()
    const body = bodyOf(incoming, { onCancel, broken: 'The connection was closed.' })
    return new Response(NO_BODY.has(status) ? null : body, {
      status,
      headers: headersOf(incoming),
    })
  } catch (error) {
    signal?.throwIfAborted()
    throw new TypeError('fetch failed', { cause: error })
  }
}

const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304])

function send(url: URL, init: RequestInit, isRepeated = false): Promise<IncomingMessage> {
  const { method = 'GET', body = null, signal } = init
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method,
      headers: Object.fromEntries(new Headers(init.headers)),
      signal: signal ?? undefined,
    })
    request.on('response', resolve)
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The server just closed a connection that was kept alive for another request.
      const isStale = request.reusedSocket && error.code === 'ECONNRESET' && !isRepeated
      if (isStale) resolve(send(url, init, true))
      else reject(error)
    })
    request.end(body ?? undefined)
  })
}

/** All headers of a message, including repeated ones. */
export function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at]!, rawHeaders[at + 1]!)
  }
  return headers
}

/** Callbacks and messages for a body. */
interface BodyOptions {
  /** Called when reading begins. */
  readonly onRead?: () => void
  /** Called when the reader cancels. */
  readonly onCancel: () => void
  /** The error message for an incomplete body. */
  readonly broken: string
}

/** The body of a message. It is read on demand, so unread data stays with the sender. */
export function bodyOf(
  message: IncomingMessage,
  { onRead, onCancel, broken }: BodyOptions,
): ReadableStream<Uint8Array> {
  let isRead = false
  let isEnded = false
  let wake: (() => void) | undefined
  const continues = (): void => wake?.()
  const ends = (): void => {
    isEnded = true
    wake?.()
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!isRead) {
          isRead = true
          onRead?.()
          message.on('readable', continues)
          for (const event of ['end', 'error', 'close']) message.on(event, ends)
        }
        for (;;) {
          // All the data that has arrived, as one piece.
          const piece = message.read() as Buffer | null
          if (piece) return controller.enqueue(piece)
          if (isEnded) break
          await new Promise<void>((resolve) => (wake = resolve))
        }
        if (message.complete) controller.close()
        else controller.error(new Error(broken))
      },
      cancel() {
        message.off('readable', continues)
        ends()
        onCancel()
      },
    },
    { highWaterMark: 0 },
  )
}
