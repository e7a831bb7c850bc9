import type { Journal, JournalStatisticsOptions, RunStatistics } from '@toolglot/agent/journal'
import type { GatewayFeed } from '../requests/gateway-feed.ts'
import type { Approvals } from '../runs/approvals.ts'
import type { Executions } from '../runs/executions.ts'
import type { Folders } from '../runs/folders.ts'
import type { Runs, RunsOptions } from '../runs/runs.ts'
import type { RunOutlines } from './run-outlines.ts'
import { BoundedMap } from '@toolglot/agent/adapter/internal'

/** The services that endpoints use. */
export interface ApiServices {
  readonly journal: Journal
  readonly folders: Folders
  readonly runs: Runs
  /** The model and the protocol of runs that name none. */
  readonly defaults: NonNullable<RunsOptions['defaults']>
  readonly executions: Executions
  readonly approvals: Approvals
  /** The requests that the gateway gets. */
  readonly requests: GatewayFeed
  /** The figures of runs that were counted before. */
  readonly statistics: StatisticsCache
  readonly outlines: RunOutlines
  /** Aborts when the server stops: streams end then. */
  readonly closing: AbortSignal
  /** When the server started, in milliseconds since 1970. */
  readonly started: number
}

/** Keeps the figures of runs, so that not all are counted again for every request. */
type StatisticsCache = NonNullable<JournalStatisticsOptions['cache']>

/** Creates a cache for the figures of runs. */
export function createStatisticsCache(): StatisticsCache {
  const kept = new BoundedMap<RunStatistics>(MAX_KEPT)
  return {
    get: (key) => kept.get(key),
    set: (key, statistics) => kept.set(key, statistics, JSON.stringify(statistics).length),
  }
}

/** In characters: several thousand runs. */
const MAX_KEPT = 16 << 20
