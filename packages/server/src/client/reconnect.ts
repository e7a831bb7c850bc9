import { errorIn } from './api-error.ts'
import { beforeSilence, BrokenStream, type Message, readMessages } from './read-messages.ts'
import type { TakeTurn } from './send.ts'

/** Controls a stream's connection and reports its state. */
export interface ConnectionOptions {
  /** Ends the stream when it aborts. */
  readonly signal?: AbortSignal | undefined
  /** Called for every connection, including the first. */
  readonly onConnect?: (() => void) | undefined
  /**
   * Called with the reason when the connection breaks or another attempt fails. The next attempt is
   * automatic.
   */
  readonly onDisconnect?: ((error: Error) => void) | undefined
}

/** Limits when a stream may connect. */
export interface Turns {
  /** Default: connects immediately. */
  readonly turn: TakeTurn | undefined
}

/** A stream that continues after every interruption. */
export interface Reconnection<Value> extends ConnectionOptions, Turns {
  /** Connects and requests the messages after the last one read. */
  readonly connect: (signal: AbortSignal) => Promise<Response>
  /**
   * Reads a message. Returns undefined if it is not new; throws a BrokenStream if it cannot be the
   * next one.
   */
  readonly read: (message: Message) => { readonly value: Value } | undefined
}

/** The maximum pause between two attempts, in milliseconds. */
const MAX_PAUSE = 15_000
const FIRST_PAUSE = 250
/** The maximum number of consecutive invalid responses. */
const MAX_BROKEN = 5

/**
 * Yields the messages of a stream, over as many connections as necessary. Ends when the server
 * reports that there is no more (204). Throws an ApiError if the server refuses permanently, and
 * the signal's reason if it aborts.
 */
export async function* reconnecting<Value>({
  connect,
  read,
  turn: takeTurn,
  signal,
  onConnect,
  onDisconnect,
}: Reconnection<Value>): AsyncGenerator<Value, void> {
  let failed = 0
  let broken = 0
  for (;;) {
    signal?.throwIfAborted()
    const turn = takeTurn && (await takeTurn(signal))
    const connection = new AbortController()
    const stop = (): void => connection.abort(signal?.reason)
    signal?.addEventListener('abort', stop, { once: true })
    turn?.signal.addEventListener('abort', stop, { once: true })
    let pause = 0
    let problem: Error | undefined
    try {
      // The signal may have aborted while waiting for a turn.
      if (signal?.aborted || turn?.signal.aborted) stop()
      connection.signal.throwIfAborted()
      const response = await beforeSilence(connect(connection.signal), connection.signal)
      if (response.status === 204) return
      if (!response.ok) {
        pause = retryAfter(response.headers)
        if (!isTransient(response.status))
          throw new Final(await beforeSilence(errorIn(response), connection.signal))
        throw new Error(`The server answered with status ${response.status}.`)
      }
      if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
        throw new Final(await beforeSilence(errorIn(response), connection.signal))
      }
      try {
        onConnect?.()
      } catch (error) {
        throw new Final(error)
      }
      for await (const message of readMessages(response, connection.signal)) {
        const found = read(message)
        if (!found) continue
        failed = 0
        broken = 0
        yield found.value
        signal?.throwIfAborted()
      }
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof Final) throw error.cause
      if (error instanceof BrokenStream && ++broken >= MAX_BROKEN) throw error
      problem = error instanceof Error ? error : new Error(String(error))
    } finally {
      signal?.removeEventListener('abort', stop)
      connection.abort()
      turn?.end()
    }
    if (turn?.signal.aborted) {
      failed = 0
      continue
    }
    // The end of a stream is only a problem if reconnecting fails.
    if (problem) onDisconnect?.(problem)
    const backoff = Math.min(MAX_PAUSE, FIRST_PAUSE * 2 ** failed++) * (0.5 + Math.random() / 2)
    await wait(Math.max(backoff, pause), signal)
  }
}

/** A permanent error: trying again would not help. */
class Final extends Error {
  constructor(cause: unknown) {
    super('It is refused.', { cause })
  }
}

function isTransient(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500
}

/** The server's Retry-After in milliseconds, at most one minute. */
function retryAfter(headers: Headers): number {
  const seconds = Number(headers.get('retry-after') ?? 0)
  return seconds > 0 ? Math.min(60, seconds) * 1000 : 0
}

async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, milliseconds)
    signal?.addEventListener('abort', done, { once: true })
    function done(): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
  })
}
