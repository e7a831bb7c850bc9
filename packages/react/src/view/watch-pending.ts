import type { PendingRequest } from '@toolglot/agent/journal'
import type { Client } from '@toolglot/server/client'
import { createWatched, type Watched } from './watch-run.ts'

/** The pending requests of all runs, and whether the list is current. */
export interface WatchedPending {
  /** The longest wait first. */
  readonly pending: readonly PendingRequest[]
  readonly connection: 'connecting' | 'connected' | 'lost'
  readonly error: Error | undefined
}

/** Watches what waits for a person, in all runs of a server. While somebody watches, calls wait instead of being denied. */
export function watchPending(client: Client): Watched<WatchedPending> {
  return createWatched<WatchedPending>(
    { pending: [], connection: 'connecting', error: undefined },
    queueMicrotask,
    async (change, signal) => {
      const lists = client.approvals({
        signal,
        onConnect: () => change({ connection: 'connected', error: undefined }),
        onDisconnect: () => change({ connection: 'lost' }),
      })
      for await (const pending of lists) change({ pending })
    },
  )
}
