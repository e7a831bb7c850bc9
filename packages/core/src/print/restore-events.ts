import { kept } from '../read/cached.ts'
import type { Event } from '../reply.ts'
import type { Neutralizer } from './neutralize.ts'
import { jsonRestorer } from './restore-json.ts'
import { mapTexts } from './map-texts.ts'
import type { Restorer } from './restorer.ts'

/** Restores the arguments in events: each call's pieces of JSON, and its arguments once it ends. */
export async function* restoreEvents<Other extends { readonly type: string }>(
  events: AsyncIterable<Event | Other> | Iterable<Event | Other>,
  guard: Neutralizer,
): AsyncGenerator<Event | Other, void, void> {
  const calls = new Map<number, Restorer>()
  for await (const given of events) {
    const event = given as Event
    if (event.type === 'call-delta') {
      const call = kept(calls, event.index, () => jsonRestorer(guard))
      const delta = call.feed(event.delta)
      if (delta !== '') yield { ...event, delta }
    } else if (event.type === 'call-end') {
      const { index, call } = event
      const delta = calls.get(index)?.end() ?? ''
      calls.delete(index)
      if (delta !== '') yield { type: 'call-delta', index, delta }
      const args = mapTexts(call.args, guard.restore) as typeof call.args
      yield args === call.args ? event : { ...event, call: { ...call, args } }
    } else {
      // It may take back a call.
      if (event.type === 'malformed') calls.delete(event.index!)
      yield given
    }
  }
}
