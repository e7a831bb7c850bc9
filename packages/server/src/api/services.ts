import type { Journal } from '@toolglot/agent/journal'
import type { Approvals } from '../runs/approvals.ts'
import type { Executions } from '../runs/executions.ts'
import type { Folders } from '../runs/folders.ts'
import type { Runs } from '../runs/runs.ts'
import type { StatisticsCache } from './statistics-cache.ts'

/** What endpoints stand on. */
export interface ApiServices {
  readonly journal: Journal
  readonly folders: Folders
  readonly runs: Runs
  readonly executions: Executions
  readonly approvals: Approvals
  /** The figures of runs that were counted before. */
  readonly statistics: StatisticsCache
  /** Aborts when the server stops: streams end then. */
  readonly closing: AbortSignal
  /** When the server started, in milliseconds since 1970. */
  readonly started: number
}
