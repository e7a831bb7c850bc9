import type { Journal } from '@toolglot/agent/journal'
import type { GatewayFeed } from '../requests/gateway-feed.ts'
import type { Approvals } from '../runs/approvals.ts'
import type { Executions } from '../runs/executions.ts'
import type { Folders } from '../runs/folders.ts'
import type { Runs, RunsOptions } from '../runs/runs.ts'
import type { RunOutlines } from './run-outlines.ts'
import type { StatisticsCache } from './statistics-cache.ts'

/** What endpoints stand on. */
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
