// Folder: The HTTP API: schemas and endpoints.
import { setMaxListeners } from 'node:events'
import type { RunEvent } from '@toolglot/agent'
import { openJournal, type Workspace } from '@toolglot/workspace'
import { createGatewayFeed, type GatewayFeed } from '../requests/gateway-feed.ts'
import type { Route } from '../route.ts'
import { createApprovals } from '../runs/approvals.ts'
import { createExecutions } from '../runs/executions.ts'
import { type Claiming, type SharedJournal, startClaiming } from '../runs/claiming.ts'
import { createFolders } from '../runs/folders.ts'
import { createRuns, type RunsOptions } from '../runs/runs.ts'
import { apiRoutes } from './api-routes.ts'
import { endpoints } from './endpoints.ts'
import { type ApiServices, createStatisticsCache } from './services.ts'
import { createRunOutlines } from './run-outlines.ts'

/** The API of a server, at `/api`. */
export interface Api {
  readonly routes: readonly Route[]
  /** Continues the runs that this server was executing when it stopped. */
  resumeRuns(): Promise<void>
  /** Ends the responses that would never end by themselves. */
  endStreams(): void
  /** Releases all runs, and closes all folders. */
  close(options?: ApiCloseOptions): Promise<void>
}

/** How an API is closed. */
export interface ApiCloseOptions {
  /** Called with the number of runs that are interrupted, if there are any. */
  readonly onRuns?: (runs: number) => void
  /** Leaves replies and tools unfinished when it aborts. */
  readonly signal?: AbortSignal
}

/** Where an API works, and whom it tells about its own errors. */
export interface ApiOptions {
  /** The folder of requests that name none. */
  readonly workspace: Workspace
  /** A journal that other servers share. Default: that of this machine's user. */
  readonly shared?: SharedJournal | undefined
  /** The model and the protocol of new runs that name none. */
  readonly defaults?: RunsOptions['defaults']
  /** The requests that the gateway gets. Default: none. */
  readonly requests?: GatewayFeed
  /** Called with messages of the journal for people. */
  readonly onWarning?: ((text: string) => void) | undefined
  readonly onError: (error: unknown) => void
}

/** Creates the API. */
export function createApi({
  workspace,
  shared,
  defaults = {},
  requests = createGatewayFeed(),
  onWarning,
  onError,
}: ApiOptions): Api {
  const closing = new AbortController()
  // As many as there are streams.
  setMaxListeners(0, closing.signal)
  const journal = shared?.journal ?? openJournal(workspace.directories, onWarning)
  const folders = createFolders(workspace, onError)
  const approvals = createApprovals({
    journal,
    executions: () => executions,
    // Runs that several servers share are claimed: each server takes those that it can continue.
    onAnswer: (run) => {
      if (!shared) void runs.continueInterrupted(run).catch(onError)
    },
    onError,
  })
  const { changed } = approvals
  const executions = createExecutions({
    folders,
    isAttended: () => approvals.isAttended(),
    onChange: changed,
    onError,
  })
  const onEvent = ({ type }: RunEvent): void => {
    if (ASKING.has(type)) changed()
  }
  const runs = createRuns({
    journal,
    folders,
    machine: shared?.machine,
    version: shared?.version,
    whenChanged: shared?.whenChanged,
    defaults,
    onEvent,
    onError,
  })
  let claiming: Claiming | undefined
  const services: ApiServices = {
    journal,
    folders,
    runs,
    defaults,
    executions,
    approvals,
    requests,
    statistics: createStatisticsCache(),
    outlines: createRunOutlines(journal),
    closing: closing.signal,
    started: Date.now(),
  }
  return {
    routes: apiRoutes(endpoints, services),
    async resumeRuns() {
      if (shared) claiming = startClaiming(runs, shared, onError)
      else await runs.resumeInterrupted()
    },
    endStreams: () => closing.abort(),
    async close({ onRuns, signal } = {}) {
      closing.abort()
      await claiming?.stop()
      const count = runs.count()
      if (count > 0) onRuns?.(count)
      await Promise.all([runs.release(signal), executions.close()])
      // Runs in progress are left as if the process had been killed, so they can be resumed.
      await journal.close()
      await runs.close()
      await folders.close()
    },
  }
}

/** The events after which there is more or less to answer. */
const ASKING: ReadonlySet<RunEvent['type']> = new Set([
  'approval-request',
  'approval',
  'question',
  'answer',
  'run-end',
])
