import { setTimeout as sleep } from 'node:timers/promises'
import { eventReader, type EventReader } from '../../packages/server/test/event-reader.ts'

/** Options of a client: its servers, one of which gets each request. */
export interface ClientOptions {
  readonly urls: readonly string[]
  readonly token: string
  readonly random: () => number
  /**
   * Called with a response that is neither a success nor a report that the server is stopping or
   * has lost the database.
   */
  readonly onRefusal: (status: number, text: string) => void
}

/** A client that starts a run, and reads its events with connections to any server. */
export interface Client {
  start(body: object): Promise<string>
  /** Reads all events of a run. */
  follow(run: string, deadline: () => number): Promise<EventReader>
}

export function createClient({ urls, token, random, onRefusal }: ClientOptions): Client {
  /** Sends a request to a random server. A server that does not answer in time is paused. */
  const ask = (path: string, init: RequestInit = {}): Promise<Response> => {
    const url = urls[Math.floor(random() * urls.length)]!
    const patience = AbortSignal.timeout(10_000)
    return fetch(url + path, {
      ...init,
      signal: init.signal ? AbortSignal.any([init.signal, patience]) : patience,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(init.headers as Record<string, string>),
      },
    })
  }
  return {
    async start(body) {
      for (;;) {
        try {
          const response = await ask('/api/runs', { method: 'POST', body: JSON.stringify(body) })
          const text = await response.text()
          if (response.status === 201) return (JSON.parse(text) as { run: string }).run
          if (response.status !== 503) onRefusal(response.status, text)
        } catch {
          // The server was killed, or is paused.
        }
        await sleep(50 + random() * 200)
      }
    },
    async follow(run, deadline) {
      const reader = eventReader({ ask }, run)
      while (!reader.hasEnded()) {
        if (performance.now() > deadline()) throw new Error(`${run} does not end`)
        // One in four connections lasts as long as possible.
        const bytes = random() < 0.25 ? Infinity : 1 + Math.floor(random() * 3000)
        try {
          const status = await reader.read(bytes)
          if (status === 200) continue
          if (status !== 503) onRefusal(status, `events of ${run}`)
        } catch {
          // The server was killed, or is paused.
        }
        await sleep(50 + random() * 200)
      }
      return reader
    },
  }
}
