import { createParser } from 'eventsource-parser'
import { GarbledReply } from './garbled-reply.ts'

/** Reads the data of server-sent events from streamed text. An event that repeats the id before it is skipped. */
export function createEventReader(maxEvent: number): { feed(text: string): string[] } {
  let pending: string[] = []
  let lastId: string | undefined
  const parser = createParser({
    maxBufferSize: maxEvent,
    onEvent({ id, data }) {
      if (id !== undefined && id !== '' && id === lastId) return
      lastId = id
      pending.push(data)
    },
    onError({ type, line }) {
      if (type === 'invalid-retry') return
      throw new GarbledReply(
        type === 'max-buffer-size-exceeded'
          ? `an event is longer than ${maxEvent} characters`
          : `a line does not belong to an event: ${line ?? ''}`,
      )
    },
  })
  return {
    feed(text) {
      pending = []
      parser.feed(text)
      return pending
    },
  }
}
