import { EVENT_STREAM, KEEP_ALIVE } from '../anywhere/event-stream.ts'

/** A server-sent event. */
export interface ServerSentEvent {
  readonly id?: string
  /** Sent as JSON. */
  readonly data: unknown
}

/** Options for an event stream. */
export interface EventStreamOptions {
  /** Aborted when the client disconnects or the server disconnects it. */
  readonly stop: AbortController
  /** Ends the response when it aborts. */
  readonly closing: AbortSignal
  /** True while the client may receive data. If false, the response ends. */
  readonly isAllowed: () => boolean | Promise<boolean>
  /**
   * Calls the listener whenever there may be more to send. Returns a function that unsubscribes.
   */
  readonly onMore?: (listener: () => void) => () => void
  /**
   * The number of characters that could have been sent so far, to detect a client that doesn't
   * read.
   */
  readonly emitted?: () => number
}

/**
 * A response with events, sent as fast as the client reads. While there are no events, comments
 * keep the connection open. A client that doesn't read is disconnected once it is more than 1 MiB
 * behind; it can continue after its last event.
 */
export function eventStreamResponse(
  events: AsyncGenerator<ServerSentEvent, void>,
  { stop, closing, isAllowed, onMore, emitted = () => 0 }: EventStreamOptions,
): Response {
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array>
  let isRead = false
  let isOver = false
  /** The value of `emitted()` when the client stopped reading. */
  let before = 0
  /** Runs while the client is too far behind. */
  let patience: ReturnType<typeof setTimeout> | undefined

  const heartbeat = setInterval(() => {
    if (isRead) controller.enqueue(encoder.encode(KEEP_ALIVE))
  }, HEARTBEAT)
  let checked = performance.now()
  let isRefused = false
  const check = async (): Promise<void> => {
    checked = performance.now()
    if (!(await isAllowed())) isRefused = true
    if (isRefused) stop.abort()
  }
  const guard = setInterval(() => void check(), CHECK)
  /** Checks if the client may receive more, but not for every event. */
  const mayGoOn = async (): Promise<boolean> => {
    if (performance.now() - checked >= CHECK) await check()
    return !isRefused
  }
  const end = (): void => {
    isOver = true
    clearInterval(heartbeat)
    clearInterval(guard)
    clearTimeout(patience)
    unwatch?.()
    closing.removeEventListener('abort', close)
    stop.abort()
  }
  // AbortSignal.any would leave a listener on a signal that lives as long as the server.
  const close = (): void => stop.abort()
  closing.addEventListener('abort', close)
  if (closing.aborted) close()
  const unwatch = onMore?.(() => {
    // A new execution counts from 0.
    before = Math.min(before, emitted())
    if (isRead || isOver || emitted() - before <= MAX_BEHIND) return
    // A single event may be that large; a client that reads will receive it within moments.
    patience ??= setTimeout(() => {
      end()
      void events.return().catch(() => {})
      controller.error(new Error('The client does not read the response.'))
    }, PATIENCE)
  })

  const body = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given
        before = emitted()
      },
      async pull() {
        isRead = true
        clearTimeout(patience)
        patience = undefined
        try {
          const step = await events.next()
          if (!step.done && (await mayGoOn())) controller.enqueue(encoder.encode(print(step.value)))
          else if (!isOver) {
            end()
            void events.return().catch(() => {})
            controller.close()
          }
        } catch (error) {
          end()
          throw error
        } finally {
          isRead = false
          before = emitted()
        }
      },
      async cancel() {
        end()
        await events.return()
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { headers: EVENT_STREAM })
}

/** The interval between comments, in milliseconds: short enough for every proxy. */
const HEARTBEAT = 15_000
/** The interval for checking that the client may still read, in milliseconds. */
const CHECK = 1000
/** The maximum backlog, in characters. */
const MAX_BEHIND = 1 << 20
/** The time for which a client may exceed the maximum backlog, in milliseconds. */
const PATIENCE = 1000

/** Compact JSON contains no line breaks. */
function print({ id, data }: ServerSentEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`
}
