import type { Client } from '@toolglot/server/client'
import type { Watched } from './watch-run.ts'
import { type WatchedRun, watchRun } from './watch-run.ts'
import { type WatchedPending, watchPending } from './watch-pending.ts'

/**
 * The watched streams of a client. Each run is watched only once, however many parts of a page show
 * it.
 */
export interface Watchers {
  run(run: string): Watched<WatchedRun>
  pending(): Watched<WatchedPending>
}

const known = new WeakMap<Client, Watchers>()
/** The number of runs to keep, unless more are shown. */
const MAX_RUNS = 8

/** The watchers of a client. */
export function watchersOf(client: Client): Watchers {
  let watchers = known.get(client)
  if (!watchers) known.set(client, (watchers = createWatchers(client)))
  return watchers
}

function createWatchers(client: Client): Watchers {
  const runs = new Map<string, Watched<WatchedRun>>()
  let pending: Watched<WatchedPending> | undefined
  return {
    run(run) {
      const watched = runs.get(run) ?? watchRun(client, run)
      // Moves the run to the end, as the most recently used one.
      runs.delete(run)
      runs.set(run, watched)
      for (const [oldest, { isWatched }] of runs) {
        if (runs.size <= MAX_RUNS) break
        if (oldest !== run && !isWatched()) runs.delete(oldest)
      }
      return watched
    },
    pending: () => (pending ??= watchPending(client)),
  }
}
