import {
  type GivenRules,
  type OpenTools,
  openTools,
  toolsVersion,
  type Workspace,
} from '@toolglot/workspace'
import { findFolder } from '@toolglot/workspace/internal'
import { isAbsolute } from 'node:path'
import { HttpError } from '../security/http-error.ts'
import { createWarm } from './warm.ts'

/** The folders that requests work in. Several can be open at once. */
export interface Folders {
  /** The folder of requests that name none. */
  readonly default: string
  /** Opens a folder with its settings as they are now. Throws an HttpError if it does not exist. */
  open(path?: string, options?: GivenRules): Promise<Workspace>
  /** Uses the tools of a folder. They are opened once for all, and closed some time after nobody uses them any more. */
  useTools<Result>(
    workspace: Workspace,
    work: (tools: OpenTools) => Promise<Result>,
  ): Promise<Result>
  /**
   * Uses tools that start out in the folder and have read nothing, without MCP servers. Those of the same run stay open for
   * its next call: it stays in the directory it went to, and its background commands go on.
   */
  useOwnTools<Result>(
    workspace: Workspace,
    run: string | undefined,
    work: (tools: OpenTools) => Promise<Result>,
  ): Promise<Result>
  /** Closes the tools of a folder, so that whoever uses them next opens them again. */
  reload(folder: string): Promise<void>
  close(): Promise<void>
}

/** Opens folders as they are asked for. */
export function createFolders(
  home: Pick<Workspace, 'folder' | 'reopen'>,
  onError: (error: unknown) => void,
): Folders {
  const shared = createWarm<OpenTools>({ idle: IDLE, max: 4, onError })
  const own = createWarm<OpenTools>({ idle: IDLE, max: 16, onError })
  const openOwn = (workspace: Workspace): Promise<OpenTools> =>
    openTools(workspace, { startServer: () => false })
  return {
    default: home.folder,
    open(path = home.folder, options = {}) {
      if (!isAbsolute(path)) throw notFound('Expected the absolute path of a folder.')
      if (findFolder(path) === undefined) throw notFound('There is no such folder.')
      return home.reopen(path, options)
    },
    useTools: (workspace, work) =>
      shared.use(workspace.folder, toolsVersion(workspace), () => openTools(workspace), work),
    async useOwnTools(workspace, run, work) {
      if (run !== undefined) {
        const key = JSON.stringify([workspace.folder, run])
        return own.use(key, toolsVersion(workspace), () => openOwn(workspace), work)
      }
      const opened = await openOwn(workspace)
      try {
        return await work(opened)
      } finally {
        await opened.close()
      }
    },
    reload: (folder) => shared.drop(folder),
    async close() {
      await Promise.all([shared.close(), own.close()])
    },
  }
}

/** How long tools stay open that nobody uses, in milliseconds. */
const IDLE = 10 * 60_000

function notFound(message: string): HttpError {
  return new HttpError('folder_not_found', message, {
    action: 'Check the path. GET /api/folders lists the folders that are known.',
  })
}
