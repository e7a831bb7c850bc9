import { openJournal, type Workspace } from '@toolglot/workspace'
import type { Route } from '../route.ts'
import { createApprovals } from '../runs/approvals.ts'
import { createExecutions } from '../runs/executions.ts'
import { createFolders } from '../runs/folders.ts'
import { createRuns } from '../runs/runs.ts'
import { apiRoutes } from './api-routes.ts'
import { endpoints } from './endpoints.ts'
import type { ApiServices } from './services.ts'

/** The API of a server: what `/api` answers. */
export interface Api {
  readonly routes: readonly Route[]
  /** Continues the runs that this server was executing when it stopped. */
  resumeRuns(): Promise<void>
  /** Releases all runs, and closes what is open. */
  close(): Promise<void>
}

/** Where an API works, and whom it tells about its own errors. */
export interface ApiOptions {
  /** The folder of requests that name none. */
  readonly workspace: Workspace
  readonly onError: (error: unknown) => void
}

/** Creates the API. */
export function createApi({ workspace, onError }: ApiOptions): Api {
  const journal = openJournal(workspace.directories)
  const folders = createFolders(workspace, onError)
  const executions = createExecutions(folders)
  const approvals = createApprovals(journal, executions, onError)
  const runs = createRuns({ journal, folders, onError })
  const services: ApiServices = {
    journal,
    folders,
    runs,
    executions,
    approvals,
    started: Date.now(),
  }
  return {
    routes: apiRoutes(endpoints, services),
    resumeRuns: () => runs.resumeInterrupted(),
    async close() {
      approvals.close()
      await Promise.all([runs.close(), executions.close()])
      await folders.close()
      await journal.close()
    },
  }
}
