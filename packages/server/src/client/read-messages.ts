import { createParser } from 'eventsource-parser'

/** A server-sent event. */
export interface Message {
  readonly id: string | undefined
  readonly data: string
}

/** The maximum size of a message, in characters. */
const MAX_MESSAGE = 32 << 20
/** In milliseconds. The server sends something every 15 seconds. */
const SILENCE = 45_000

/** The server would never send this response. */
export class BrokenStream extends Error {}

/**
 * Reads the messages of one response, as fast as the consumer takes them. Throws if the connection
 * breaks, if nothing arrives for 45 seconds, or if the signal aborts.
 */
export async function* readMessages(
  response: Response,
  signal: AbortSignal,
): AsyncGenerator<Message, void> {
  const messages: Message[] = []
  const parser = createParser({
    maxBufferSize: MAX_MESSAGE,
    onEvent: ({ id, data }) => messages.push({ id, data }),
    onError({ type, message }) {
      if (type === 'max-buffer-size-exceeded') throw new BrokenStream(message)
    },
  })
  const decoder = new TextDecoder()
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader()
  try {
    while (reader) {
      const { done, value } = await beforeSilence(reader.read(), signal)
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
      yield* messages.splice(0)
    }
  } finally {
    // Not awaited, because the connection may be dead.
    reader?.cancel().catch(() => {})
  }
}

/** The next chunk. Throws if the server is silent for too long, or if the signal aborts. */
export async function beforeSilence<Value>(
  coming: Promise<Value>,
  signal: AbortSignal,
): Promise<Value> {
  let stop = (): void => {}
  const silence = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(new Error('The server stopped sending data.')), SILENCE)
    const abort = (): void => reject(signal.reason as Error)
    signal.addEventListener('abort', abort, { once: true })
    stop = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    }
  })
  try {
    return await Promise.race([coming, silence])
  } finally {
    stop()
  }
}
