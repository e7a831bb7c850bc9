import type { RunEvent } from '@toolglot/agent'

/** An event as sent: its id and its JSON. */
export interface SentEvent {
  readonly id: string
  readonly event: RunEvent
}

/** A recorded event. */
export function recorded(seq: number, text = `text ${seq} ü`): SentEvent {
  const event = { type: 'text', run: 'r', seq, time: 0, text } as unknown as RunEvent
  return { id: String(seq), event }
}

/** A transient event with this number, after the recorded event `seq`. */
export function preview(seq: number, number: number, epoch: string): SentEvent {
  const text = `${epoch} ${number}`
  const event = { type: 'text', run: 'r', seq, time: 0, text, transient: true }
  return { id: `${seq}.${number}.${epoch}`, event: event as unknown as RunEvent }
}

/** The events as bytes of a stream. */
export function printEvents(events: readonly SentEvent[]): Uint8Array {
  const lines = events.map(({ id, event }) => `id: ${id}\ndata: ${JSON.stringify(event)}\n\n`)
  return new TextEncoder().encode(`: keep-alive\n\n${lines.join(': keep-alive\n\n')}`)
}

/**
 * A response with server-sent events: these bytes, in pieces of this size, followed by an end or a
 * failure.
 */
export function eventsResponse(
  bytes: Uint8Array,
  { piece = bytes.length, isCut = false }: { piece?: number; isCut?: boolean } = {},
): Response {
  let at = 0
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (at < bytes.length) controller.enqueue(bytes.subarray(at, (at += Math.max(1, piece))))
        else if (isCut) controller.error(new TypeError('terminated'))
        else controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })
}

/** The events after an id. To a server, all transient events of another execution are new. */
export function eventsAfter(events: readonly SentEvent[], id: string | null): readonly SentEvent[] {
  if (id === null) return events
  const exact = events.findIndex((each) => each.id === id)
  if (exact >= 0) return events.slice(exact + 1)
  const seq = Number(id.split('.')[0])
  return events.slice(events.findIndex((each) => each.id === String(seq)) + 1)
}
