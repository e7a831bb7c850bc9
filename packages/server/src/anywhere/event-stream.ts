// Folder: Code shared with the parts that run anywhere.
/** The headers of a response with server-sent events. */
export const EVENT_STREAM: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Stops proxies from buffering the response.
  'x-accel-buffering': 'no',
}

/** A comment that keeps a connection open while there are no events. */
export const KEEP_ALIVE = ': keep-alive\n\n'

/**
 * A client's position in the events of a run: after a recorded event, or after a transient one that
 * follows it.
 */
export interface EventPosition {
  /** The number of the last recorded event; -1 before the first. */
  readonly seq: number
  /** The last transient event after `seq`: its number and the execution that sent it. */
  readonly preview?: { readonly number: number; readonly epoch: string }
}

/** The position before all events. */
export const START: EventPosition = { seq: -1 }

/** Writes a position as the id of an event: `12`, or `12.3.1f00ba5e`. */
export function printPosition({ seq, preview }: EventPosition): string {
  return preview ? `${seq}.${preview.number}.${preview.epoch}` : String(seq)
}

/** Parses the id of an event. Returns undefined if it is invalid. */
export function readPosition(id: string): EventPosition | undefined {
  const match = /^(-1|\d{1,15})(?:\.(\d{1,15})\.([0-9a-f]{8}))?$/.exec(id)
  if (!match) return undefined
  const [, seq, number, epoch] = match
  if (number === undefined || epoch === undefined) return { seq: Number(seq) }
  return { seq: Number(seq), preview: { number: Number(number), epoch } }
}
