import type { RunEvent } from '@toolglot/agent'
import type { ApiServer } from './api-server.ts'

/** A message of an event stream. */
export interface StreamedEvent {
  readonly id: string
  readonly event: RunEvent
}

/** The part of a run that a client has read, over all its connections. */
export interface EventReader {
  readonly events: readonly StreamedEvent[]
  /** The number of connections so far. */
  readonly connections: () => number
  /** True if the client has read the end of the run. */
  readonly hasEnded: () => boolean
  /**
   * Connects, and reads until the response ends or this many bytes were read. Resolves with the
   * status.
   */
  read(bytes?: number): Promise<number>
}

/** A client of the events of a run that continues after the last complete message. */
export function eventReader({ ask }: Pick<ApiServer, 'ask'>, run: string, query = ''): EventReader {
  const events: StreamedEvent[] = []
  let connections = 0

  return {
    events,
    connections: () => connections,
    hasEnded: () => events.at(-1)?.event.type === 'run-end' && !events.at(-1)!.event.transient,
    async read(bytes = Infinity) {
      const last = events.at(-1)?.id
      const cut = new AbortController()
      const response = await ask(`/api/runs/${run}/events${query}`, {
        signal: cut.signal,
        headers: last === undefined ? {} : { 'last-event-id': last },
      })
      connections++
      const decoder = new TextDecoder()
      let text = ''
      let left = bytes
      try {
        for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
          // Data after the interruption was never read.
          text += decoder.decode(chunk.subarray(0, Math.min(left, chunk.length)), { stream: true })
          left -= chunk.length
          if (response.status === 200) text = take(text)
          if (left <= 0) break
        }
      } finally {
        cut.abort()
      }
      return response.status
    },
  }

  /** Takes the complete messages. Returns the rest. */
  function take(text: string): string {
    const messages = text.split('\n\n')
    const rest = messages.pop()!
    for (const message of messages) {
      if (message.startsWith(':')) continue
      const [, id, data] = /^id: (\S+)\ndata: (.*)$/.exec(message) ?? []
      if (id === undefined || data === undefined) throw new Error(`not an event: ${message}`)
      events.push({ id, event: JSON.parse(data) as RunEvent })
    }
    return rest
  }
}
