import type { Event } from '@toolglot/core'
import type { StepEvent } from './messages.ts'
import type { StoredReading } from './read-reply.ts'

/** How many events of a step are shown, and how much of each. */
const MAX_EVENTS = 8
const MAX_TEXT = 28

/** What happened in a step of a replay. */
export function stepEvents({ events, eventEnds }: StoredReading, step: number): StepEvent[] {
  const from = step <= 0 ? 0 : eventEnds[step - 1]!
  return events.slice(from, Math.min(eventEnds[step] ?? 0, from + MAX_EVENTS)).map((event) => {
    const text = textOf(event)
    return { type: event.type, ...(text !== undefined && { text: text.slice(0, MAX_TEXT) }) }
  })
}

function textOf(event: Event): string | undefined {
  switch (event.type) {
    case 'text':
    case 'reasoning':
    case 'call-delta':
      return event.delta
    case 'call-start':
      return event.name
    case 'call-end':
      return event.call.name
    case 'malformed':
      return event.problem
    case 'result':
      return event.raw
    case 'end':
      return event.finish
  }
}
