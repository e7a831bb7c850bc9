import { useSyncExternalStore } from 'react'
import { useClient } from './client-context.ts'
import type { WatchedPending } from './view/watch-pending.ts'
import { watchersOf } from './view/watchers.ts'

/** Watches the pending requests of all runs on the server. */
export function usePending(): WatchedPending {
  const watched = watchersOf(useClient()).pending()
  return useSyncExternalStore(watched.subscribe, watched.current)
}
