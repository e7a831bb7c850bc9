import { createParser } from 'eventsource-parser'

/** A server-sent event. */
export interface Message {
  readonly id: string | undefined
  readonly data: string
}

/** The size of the largest message, in characters. */
const MAX_MESSAGE = 32 << 20
/** The server sends something every 15 seconds. */
const SILENCE = 45_000

/** The response is not one that the server sends. */
export class BrokenStream extends Error {}

/**
 * Reads the messages of one response, as fast as they are asked for. Throws if the connection breaks, and also if not a byte
 * comes for 45 seconds, or if the signal is aborted.
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
    // It may wait for a connection that is dead.
    reader?.cancel().catch(() => {})
  }
}

/** The next chunk. Throws if the server is silent for too long, or if the signal is aborted. */
export async function beforeSilence<Value>(
  coming: Promise<Value>,
  signal: AbortSignal,
): Promise<Value> {
  let stop = (): void => {}
  const silence = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(new Error('The server is silent.')), SILENCE)
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
