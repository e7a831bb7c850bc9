import {
  type Call,
  createParser,
  type Event,
  type Malformed,
  type Reply,
  type EndOptions,
  type Segment,
} from '@toolglot/core'
import { MAX_STEPS } from '../limits.ts'
import { callChecker, type CallChecker } from './call-problems.ts'
import { ignoredCalls } from './ignored-calls.ts'
import { itemOf } from './item-of.ts'
import type { Pieces, Questions, Reading, Tick, TickKind } from './messages.ts'
import { chosenProtocol, parserOptions } from './parser-options.ts'
import { ReplyFold } from './reply-fold.ts'

/** A reading with all data for later requests. */
export interface StoredReading extends Pieces {
  readonly text: string
  readonly values: ReadonlyMap<number, Call | Malformed>
  readonly listed: Uint32Array
  readonly check: CallChecker
  readonly events: readonly Event[]
  /** The number of events after each step. */
  readonly eventEnds: Uint32Array
}

/** Lets other requests run when it is time. Throws if this request is obsolete. */
export type Pause = () => Promise<void> | undefined

/** The number of items sent with a reading. */
const FIRST_ITEMS = 40
const MAX_TICKS = 160
const TICKS: ReadonlySet<string> = new Set<TickKind>([
  'call-start',
  'call-end',
  'malformed',
  'result',
])

/** Parses a reply chunk by chunk and records the findings after each chunk. */
export async function readReply(
  { text, options, chunk: wanted, elsewhere }: Questions['read']['input'],
  pause: Pause,
): Promise<{ readonly stored: StoredReading; readonly reading: Reading }> {
  const started = performance.now()
  const chunk = Math.max(1, wanted, Math.ceil(text.length / MAX_STEPS))
  const count = Math.ceil(text.length / chunk)
  const chosen = elsewhere ? 'all' : chosenProtocol(options)
  const read = elsewhere ?? (chosen ? undefined : plainText(text))
  const parser = read
    ? eventsOf(read)
    : createParser({
        ...parserOptions(options),
        ...(chosen && chosen !== 'all' && { protocols: [chosen] }),
      })
  const check = callChecker(options.tools)
  const fold = new ReplyFold(check)
  const events: Event[] = []
  const eventEnds = new Uint32Array(count + 1)
  const pieces = new Uint32Array(count + 1)
  const places = new Uint32Array(count + 1)
  const open = new Int32Array(count + 1).fill(-1)
  const steps: number[] = []
  const ticks: Tick[] = []
  const take = (step: number, more: readonly Event[]): void => {
    for (const event of more) {
      events.push(event)
      fold.add(event)
      if (!TICKS.has(event.type)) continue
      if (steps.at(-1) !== step) steps.push(step)
      ticks.push([step, event.type as TickKind])
    }
    eventEnds[step] = events.length
    pieces[step] = fold.kinds.length
    places[step] = fold.place
    open[step] = fold.open
  }
  for (let step = 1; step <= count; step++) {
    take(step, parser.feed(text.slice((step - 1) * chunk, step * chunk)))
    const pausing = pause()
    if (pausing) await pausing
  }
  take(count, parser.end({ finish: options.finish }))

  const kinds = Uint8Array.from(fold.kinds)
  const ends = Uint32Array.from(fold.ends)
  const listed = listedIn(text, { kinds, ends })
  const stored = { text, kinds, ends, values: fold.values, listed, check, events, eventEnds }
  const reading: Reading = {
    kinds: kinds.slice(),
    ends: ends.slice(),
    listed: listed.slice(),
    length: text.length,
    hasProtocol: chosen !== undefined,
    counts: fold.counts,
    flags: Uint8Array.from(fold.flags),
    ignored: read ? [] : await ignoredCalls(text, stored, options, pause),
    ...placesIn(fold.values),
    steps: {
      chunk,
      count,
      pieces,
      places,
      open,
      openNames: fold.openNames,
      events: Uint32Array.from(steps),
      ticks: thinned(ticks),
    },
    items: itemsOf(stored, 0, FIRST_ITEMS),
    time: performance.now() - started,
  }
  return { stored, reading }
}

/** A page of the list. */
export function itemsOf(stored: StoredReading, from: number, to: number): Reading['items'] {
  return Array.from(stored.listed.subarray(from, to), (at) =>
    itemOf(stored.text, stored, at, stored.values.get(at), stored.check),
  )
}

/** A reply without calls: all of it is text. */
function plainText(text: string): Pick<Reply, 'segments'> {
  return { segments: text === '' ? [] : [{ type: 'text', span: [0, text.length] }] }
}

/** The pieces in the list: all except marks and blank text. */
function listedIn(text: string, { kinds, ends }: Pieces): Uint32Array {
  const listed: number[] = []
  for (let at = 0; at < kinds.length; at++) {
    if (kinds[at] === 1) continue
    const from = at === 0 ? 0 : ends[at - 1]!
    if (kinds[at] === 0 && !/\S/.test(text.slice(from, ends[at]))) continue
    listed.push(at)
  }
  return Uint32Array.from(listed)
}

/** The places of repairs, and the places at which parsing stopped. */
function placesIn(
  values: ReadonlyMap<number, Call | Malformed>,
): Pick<Reading, 'repairStarts' | 'repairEnds' | 'stops'> {
  const repaired: (readonly [number, number])[] = []
  const stops: number[] = []
  for (const value of values.values()) {
    if (!('args' in value)) stops.push(value.at)
    else for (const { span } of value.details ?? []) repaired.push(span)
  }
  repaired.sort(([a], [b]) => a - b)
  return {
    repairStarts: Uint32Array.from(repaired, ([from]) => from),
    repairEnds: Uint32Array.from(repaired, ([, to]) => to),
    stops: Uint32Array.from(stops),
  }
}

/** Reduces the ticks to a number that can be distinguished. */
function thinned(ticks: readonly Tick[]): readonly Tick[] {
  if (ticks.length <= MAX_TICKS) return ticks
  const every = ticks.length / MAX_TICKS
  return Array.from({ length: MAX_TICKS }, (_, at) => ticks[Math.floor(at * every)]!)
}

/**
 * Replays a reading from the server as parser events: each piece once it has arrived completely.
 */
function eventsOf({ segments }: Pick<Reply, 'segments'>): {
  feed(chunk: string): Event[]
  end(options: EndOptions): Event[]
} {
  let place = 0
  let next = 0
  let index = 0
  let text = ''
  const told = (segment: Segment): Event[] => {
    const [from, to] = segment.span
    switch (segment.type) {
      case 'mark':
        return []
      case 'text':
      case 'reasoning':
        return [{ type: segment.type, at: from, delta: text.slice(from, to) }]
      case 'call': {
        const { call } = segment
        index++
        return [
          { type: 'call-start', index, id: call.id, name: call.name },
          { type: 'call-end', index, call },
        ]
      }
      case 'malformed':
      case 'result':
        return [segment]
    }
  }
  const until = (end: number): Event[] => {
    const events: Event[] = []
    while (next < segments.length && segments[next]!.span[1] <= end)
      events.push(...told(segments[next++]!))
    return events
  }
  return {
    feed(chunk) {
      text += chunk
      place += chunk.length
      return until(place)
    },
    end: ({ finish = 'stop' }) => [...until(place), { type: 'end', at: place, finish }],
  }
}
