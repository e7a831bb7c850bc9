import { KEEP_ALIVE } from '../anywhere/event-stream.ts'
import type { AnswerEvent } from './answer-event.ts'
import type { StreamWriter } from './api.ts'

/** A streamed response, and the functions that write to it. */
export interface EventStream {
  readonly body: ReadableStream<Uint8Array>
  /** Adds an event. Returns a promise to await if the reader is slower than the model. */
  write(event: AnswerEvent): Promise<void> | undefined
  /** Ends the stream after an optional last text. */
  end(last?: string): void
}

/**
 * A stream of server-sent events that is as fast as its reader. Events that arrive while the reader
 * is busy are joined into fewer ones. While there are no events, comments keep the connection open.
 */
export function createEventStream(
  writer: StreamWriter,
  { onCancel, heartbeat }: { readonly onCancel: () => void; readonly heartbeat: number },
): EventStream {
  const encoder = new TextEncoder()
  let pending: AnswerEvent[] = []
  let size = 0
  let text = ''
  let isOver = false
  let controller: ReadableStreamDefaultController<Uint8Array>
  /** Resolves the pending pull of the reader. */
  let asked: (() => void) | undefined
  /** Resolves the writer's pending wait for the reader. */
  let drained: (() => void) | undefined
  const timer = setInterval(() => {
    if (!asked || isOver) return
    text = KEEP_ALIVE
    flush()
  }, heartbeat)

  /** Sends the pending text. Returns false if there is no text, since some events produce none. */
  const flush = (): boolean => {
    const parts = pending.map((event) => writer.write(event))
    const all = parts.join('') + text
    pending = []
    size = 0
    text = ''
    if (all !== '') {
      controller.enqueue(encoder.encode(all))
      asked?.()
      asked = undefined
    }
    drained?.()
    drained = undefined
    if (isOver) close()
    return all !== '' || isOver
  }
  const close = (): void => {
    controller.close()
    asked?.()
    asked = undefined
  }
  const body = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given
      },
      pull() {
        // The stream pulls again only after something was sent.
        if (flush()) return undefined
        return new Promise<void>((resolve) => (asked = resolve))
      },
      cancel() {
        isOver = true
        clearInterval(timer)
        pending = []
        drained?.()
        onCancel()
      },
    },
    { highWaterMark: 0 },
  )
  return {
    body,
    write(event) {
      if (isOver) return undefined
      size += add(pending, event)
      if (asked) flush()
      else if (size > MAX_PENDING) return new Promise((resolve) => (drained = resolve))
      return undefined
    },
    end(last = '') {
      if (isOver) return
      isOver = true
      clearInterval(timer)
      text = last
      if (asked) flush()
    },
  }
}

/** The maximum number of buffered characters before the model has to wait. */
const MAX_PENDING = 64 << 10

/**
 * Adds an event to a list, or joins it with the last one. Returns the approximate growth of the
 * list.
 */
function add(list: AnswerEvent[], event: AnswerEvent): number {
  const last = list.at(-1)
  if (!('delta' in event)) {
    list.push(event)
    return 200
  }
  const { delta } = event
  const isJoined =
    last?.type === event.type &&
    'delta' in last &&
    (event.type !== 'call-delta' || (last as typeof event).index === event.index)
  if (isJoined) list[list.length - 1] = { ...event, delta: last.delta + delta }
  else list.push(event)
  return delta.length + (isJoined ? 0 : 200)
}
