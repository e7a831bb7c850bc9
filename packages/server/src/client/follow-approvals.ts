import type { PendingRequest } from '@toolglot/agent/journal'
import { BrokenStream } from './read-messages.ts'
import { type ConnectionOptions, reconnecting, type Turns } from './reconnect.ts'
import type { Send } from './send.ts'

/** Yields everything that waits for a person: at once, and whenever it changes. */
export function followApprovals(
  send: Send,
  options: ConnectionOptions & Turns,
): AsyncGenerator<readonly PendingRequest[], void> {
  let last: string | undefined
  return reconnecting({
    ...options,
    connect: (signal) => send('GET /api/approvals/events', { signal }),
    read({ data }) {
      // After an interruption the server begins with what it has.
      if (data === last) return undefined
      const value = listIn(data)
      last = data
      return { value }
    },
  })
}

function listIn(data: string): readonly PendingRequest[] {
  let value: unknown
  try {
    value = JSON.parse(data)
  } catch {
    value = undefined
  }
  if (Array.isArray(value)) return value as PendingRequest[]
  throw new BrokenStream('A message is not a list.')
}
