import type { RunEvent } from '@toolglot/agent'
import { type EventPosition, readPosition, START } from '../anywhere/event-stream.ts'
import { BrokenStream } from './read-messages.ts'
import { type ConnectionOptions, reconnecting, type Turns } from './reconnect.ts'
import type { Send } from './send.ts'

/** Selects the events of a run to read. */
export interface EventsOptions extends ConnectionOptions {
  /** The last event read: its `seq`, or the id from the server. Default: none. */
  readonly after?: number | string | undefined
  /**
   * Keeps waiting for events after the run has ended, because it may be resumed. Default: false.
   */
  readonly keepOpen?: boolean | undefined
}

/** Yields the events of a run, each once and in order, over as many connections as necessary. */
export function followRun(
  send: Send,
  run: string,
  { after, keepOpen, ...connection }: EventsOptions & Turns,
): AsyncGenerator<RunEvent, void> {
  let last = after === undefined ? START : readPosition(String(after))
  if (!last) {
    throw new TypeError(`${JSON.stringify(after)} is not the number or the id of an event.`)
  }
  let lastId = after === undefined ? undefined : String(after)
  return reconnecting({
    ...connection,
    connect: (signal) =>
      send('GET /api/runs/:run/events', {
        parameters: { run },
        query: { keepOpen: keepOpen || undefined },
        headers: lastId === undefined ? {} : { 'last-event-id': lastId },
        signal,
      }),
    read({ id = '', data }) {
      const position = readPosition(id)
      if (!position) throw new BrokenStream('A message has no id.')
      if (!isAfter(position, last!)) return undefined
      const value = parse(data)
      last = position
      lastId = id
      return { value }
    },
  })
}

/** True if an event is new. Throws if events before it are missing. */
function isAfter({ seq, preview }: EventPosition, last: EventPosition): boolean {
  const next = preview ? last.seq : last.seq + 1
  if (seq > next) throw new BrokenStream(`Event ${seq} came after event ${last.seq}.`)
  if (seq < next) return false
  // Events of another execution are new, regardless of their numbers.
  return !preview || preview.epoch !== last.preview?.epoch || preview.number > last.preview.number
}

function parse(data: string): RunEvent {
  try {
    return JSON.parse(data) as RunEvent
  } catch {
    throw new BrokenStream('A message is not JSON.')
  }
}
