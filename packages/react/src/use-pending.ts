import { useSyncExternalStore } from 'react'
import { useClient } from './client-context.ts'
import type { WatchedPending } from './view/watch-pending.ts'
import { watchersOf } from './view/watchers.ts'

/** Watches what waits for a person, in all runs of the server. */
export function usePending(): WatchedPending {
  const watched = watchersOf(useClient()).pending()
  return useSyncExternalStore(watched.subscribe, watched.current)
}
