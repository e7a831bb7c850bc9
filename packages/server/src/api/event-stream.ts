import { EVENT_STREAM, KEEP_ALIVE } from '../anywhere/event-stream.ts'

/** A server-sent event. */
export interface ServerSentEvent {
  readonly id?: string
  /** Sent as JSON. */
  readonly data: unknown
}

/** How events are sent. */
export interface EventStreamOptions {
  /** Aborted when the client goes away, or is cut off. */
  readonly stop: AbortController
  /** Ends the response when it aborts. */
  readonly closing: AbortSignal
  /** Whether the client may still be told anything. If not, the response ends. */
  readonly isAllowed: () => boolean | Promise<boolean>
  /** Calls back whenever there may be more to send. Returns how to stop that. */
  readonly onMore?: (listener: () => void) => () => void
  /** How many characters there were to send so far, for a client that does not read. */
  readonly emitted?: () => number
}

/**
 * A response with events, as fast as its reader reads. While nothing comes, comments keep the connection open. A client that
 * does not read while there is more than 1 MiB for it is cut off; it can continue where it was.
 */
export function eventStreamResponse(
  events: AsyncGenerator<ServerSentEvent, void>,
  { stop, closing, isAllowed, onMore, emitted = () => 0 }: EventStreamOptions,
): Response {
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array>
  let isRead = false
  let isOver = false
  /** How much there was when the client stopped reading. */
  let before = 0
  /** Runs while there is too much for it. */
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
  /** Whether the client may be told more. It is not looked up for every event. */
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
  // AbortSignal.any would leave something in a signal that lives as long as the server.
  const close = (): void => stop.abort()
  closing.addEventListener('abort', close)
  if (closing.aborted) close()
  const unwatch = onMore?.(() => {
    // Another execution counts from the start.
    before = Math.min(before, emitted())
    if (isRead || isOver || emitted() - before <= MAX_BEHIND) return
    // One event may be that large: a client that reads will take it in a moment.
    patience ??= setTimeout(() => {
      end()
      void events.return().catch(() => {})
      controller.error(new Error('The client does not read.'))
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

/** Often enough for every proxy, in milliseconds. */
const HEARTBEAT = 15_000
/** How often it is checked that the client may still read, in milliseconds. */
const CHECK = 1000
/** In characters. */
const MAX_BEHIND = 1 << 20
/** How long a client may take to read while that much more is waiting for it, in milliseconds. */
const PATIENCE = 1000

/** JSON has no line breaks of its own. */
function print({ id, data }: ServerSentEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`
}
