import type { ShownRequests } from '../requests/gateway-feed.ts'
import { BrokenStream } from './read-messages.ts'
import { type ConnectionOptions, reconnecting, type Turns } from './reconnect.ts'
import type { Send } from './send.ts'

/** Yields the latest requests to the gateway, and then those that change. After an interruption it begins with all of them. */
export function followGateway(
  send: Send,
  options: ConnectionOptions & Turns,
): AsyncGenerator<ShownRequests, void> {
  return reconnecting({
    ...options,
    connect: (signal) => send('GET /api/gateway/events', { signal }),
    read: ({ data }) => ({ value: requestsIn(data) }),
  })
}

function requestsIn(data: string): ShownRequests {
  try {
    const value = JSON.parse(data) as Partial<ShownRequests> | null
    if (Array.isArray(value?.requests) && value.today) return value as ShownRequests
  } catch {
    // Said below.
  }
  throw new BrokenStream('A message has no requests.')
}
