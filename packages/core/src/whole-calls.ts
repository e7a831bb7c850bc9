import { Pieces } from './read/input.ts'
import type { Call, Event } from './reply.ts'

/**
 * Converts events for transports that cannot retract events. A complete call is sent only after it
 * has ended, as a `call-start`, one `call-delta` with all arguments as JSON, and a `call-end`. An
 * incomplete call becomes `malformed`. Calls are numbered from 0 in the order of their ends; all
 * other events pass through unchanged.
 */
export async function* wholeCalls<Other extends { type: string } = never>(
  events: AsyncIterable<Event | Other> | Iterable<Event | Other>,
): AsyncIterable<Event | Other> {
  /** The deltas of open calls. */
  const open = new Map<number, Pieces>()
  let shown = 0
  let last: string | undefined
  for await (const any of events) {
    const event = any as Event
    if (event.type === 'call-start') open.set(event.index, new Pieces())
    else if (event.type === 'call-delta') open.get(event.index)?.add(event.delta)
    else if (event.type === 'call-end') {
      // A run's events have further fields, which are copied to each new event.
      const { call, index: own, ...shared } = event
      const { id, name, complete } = call
      const deltas = String(open.get(own) ?? '')
      open.delete(own)
      if (complete) {
        const index = shown++
        yield { ...shared, type: 'call-start', index, id, name }
        yield { ...shared, type: 'call-delta', index, delta: argumentsOf(call, deltas) }
        yield { ...shared, type: 'call-end', index, call }
      } else {
        const { span } = call
        // Calls in one block share the text of the first.
        const raw = call.raw === last && span[0] === span[1] ? '' : call.raw
        yield { ...shared, type: 'malformed', raw, problem: 'cut', hint: HINT, at: span[1], span }
      }
      last = call.raw
    } else if (event.type === 'malformed') {
      const { index: own, ...malformed } = event
      if (own !== undefined) open.delete(own)
      yield malformed
    } else yield any
  }
}

const HINT = 'Expected the rest of the call, found the end of the text.'

/**
 * The arguments as JSON. Deltas with the same content are preferred because they keep all digits of
 * a number. Deltas of native calls may need repairs, and readers may differ on duplicate keys.
 */
function argumentsOf({ args, repairs }: Call, deltas: string): string {
  const json = JSON.stringify(args)
  if (repairs.includes('duplicate-key')) return json
  try {
    return JSON.stringify(JSON.parse(deltas)) === json ? deltas : json
  } catch {
    return json
  }
}
