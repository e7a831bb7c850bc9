import type { Journal, JournalStatisticsOptions, RunStatistics } from '@toolglot/agent/journal'
import type { GatewayFeed } from '../requests/gateway-feed.ts'
import type { Approvals } from '../runs/approvals.ts'
import type { Executions } from '../runs/executions.ts'
import type { Folders } from '../runs/folders.ts'
import type { Runs, RunsOptions } from '../runs/runs.ts'
import type { RunOutlines } from './run-outlines.ts'
import { BoundedMap } from '@toolglot/agent/adapter/internal'

/** The services available to endpoints. */
export interface ApiServices {
  readonly journal: Journal
  readonly folders: Folders
  readonly runs: Runs
  /** The default model and protocol of runs. */
  readonly defaults: NonNullable<RunsOptions['defaults']>
  readonly executions: Executions
  readonly approvals: Approvals
  /** The requests to the gateway. */
  readonly requests: GatewayFeed
  /** Statistics of runs that were already counted. */
  readonly statistics: StatisticsCache
  readonly outlines: RunOutlines
  /** Aborts when the server stops, which ends all streams. */
  readonly closing: AbortSignal
  /** The start time of the server, in milliseconds since 1970. */
  readonly started: number
}

/** Caches the statistics of runs, so that a request doesn't count all of them again. */
type StatisticsCache = NonNullable<JournalStatisticsOptions['cache']>

/** Creates a cache for statistics of runs. */
export function createStatisticsCache(): StatisticsCache {
  const kept = new BoundedMap<RunStatistics>(MAX_KEPT)
  return {
    get: (key) => kept.get(key),
    set: (key, statistics) => kept.set(key, statistics, JSON.stringify(statistics).length),
  }
}

/** The maximum size of the cache, in characters: enough for several thousand runs. */
const MAX_KEPT = 16 << 20
