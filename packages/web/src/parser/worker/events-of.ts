import type { EndOptions, Event, Reply, Segment } from '@toolglot/core'

/** Tells a reply that was read elsewhere as a parser would: each piece once all of it has arrived. */
export function eventsOf({ segments }: Pick<Reply, 'segments'>): {
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
