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

/** The API of a server, under `/api`. */
export interface Api {
  readonly routes: readonly Route[]
  /** Continues the runs that this server was executing when it stopped. */
  resumeRuns(): Promise<void>
  /** Ends the responses that never end by themselves. */
  endStreams(): void
  /** Releases all runs, and closes all folders. */
  close(options?: ApiCloseOptions): Promise<void>
}

/** Options for closing an API. */
export interface ApiCloseOptions {
  /** Called with the number of interrupted runs, if there are any. */
  readonly onRuns?: (runs: number) => void
  /** When the signal aborts, replies and tools are left unfinished. */
  readonly signal?: AbortSignal
}

/** The API's folder and journal, its defaults and its callback for warnings. */
export interface ApiOptions {
  /** The default folder of requests. */
  readonly workspace: Workspace
  /** A journal shared with other servers. Default: the journal of this machine's user. */
  readonly shared?: SharedJournal | undefined
  /** The default model and protocol of new runs. */
  readonly defaults?: RunsOptions['defaults']
  /** The requests to the gateway. Default: none. */
  readonly requests?: GatewayFeed
  /** Called with the journal's warnings. */
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
  // Each open stream adds a listener.
  setMaxListeners(0, closing.signal)
  const journal = shared?.journal ?? openJournal(workspace.directories, onWarning)
  const folders = createFolders(workspace, onError)
  const approvals = createApprovals({
    journal,
    executions: () => executions,
    // Runs shared by several servers are claimed: each server takes those that it can continue.
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

/** The events that change the list of pending requests. */
const ASKING: ReadonlySet<RunEvent['type']> = new Set([
  'approval-request',
  'approval',
  'question',
  'answer',
  'run-end',
])
