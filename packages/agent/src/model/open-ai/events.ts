import { createParser } from 'eventsource-parser'
import { garbled } from './garbled.ts'

/** Reads server-sent events from text as it comes: the data of each. What comes twice under one id counts once. */
export function createEvents(maxEvent: number): { feed(text: string): string[] } {
  let waiting: string[] = []
  let last: string | undefined
  const parser = createParser({
    maxBufferSize: maxEvent,
    onEvent({ id, data }) {
      if (id !== undefined && id !== '' && id === last) return
      last = id
      waiting.push(data)
    },
    onError({ type, line }) {
      if (type === 'invalid-retry') return
      throw garbled(
        type === 'max-buffer-size-exceeded'
          ? `one event is longer than ${maxEvent} characters`
          : `a line is no part of an event: ${line ?? ''}`,
      )
    },
  })
  return {
    feed(text) {
      waiting = []
      parser.feed(text)
      return waiting
    },
  }
}
