import type { PendingRequest } from '@toolglot/agent/journal'
import type { Client } from '@toolglot/server/client'
import { createWatched, type Watched } from './watch-run.ts'

/** The pending requests of all runs, and the state of the connection. */
export interface WatchedPending {
  /** The requests, longest wait first. */
  readonly pending: readonly PendingRequest[]
  readonly connection: 'connecting' | 'connected' | 'lost'
  readonly error: Error | undefined
}

/**
 * Watches the pending requests of all runs on a server. While there is a watcher, calls wait
 * instead of being denied.
 */
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
