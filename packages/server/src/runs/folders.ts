import { type OpenTools, openTools, type Workspace } from '@toolglot/workspace'
import { findFolder, toolsVersion } from '@toolglot/workspace/internal'
import { isAbsolute } from 'node:path'
import { HttpError } from '../security/http-error.ts'
import { type Closable, createIdlePool, type IdlePool, type PoolPlace } from './idle-pool.ts'

/** The folders used by requests. Several can be open simultaneously. */
export interface Folders {
  /** The default folder of requests. */
  readonly default: string
  /** Opens a folder with its current settings. Rejects with an HttpError if it does not exist. */
  open: Workspace['reopen']
  /** Uses the tools of a folder. They are opened once, shared, and closed after some idle time. */
  useTools<Result>(
    workspace: Workspace,
    work: (tools: OpenTools) => Promise<Result>,
  ): Promise<Result>
  /**
   * Uses tools that start in the folder with no files read so far and no MCP servers. The tools of
   * a run stay open for its next call, so they keep their working directory and background
   * commands.
   */
  useOwnTools<Result>(
    workspace: Workspace,
    run: string | undefined,
    work: (tools: OpenTools) => Promise<Result>,
  ): Promise<Result>
  /**
   * Uses the stored changes, in order to undo some. All folders share one store, and undoing only
   * writes to the recorded paths, so no folder has to be open and no user code runs.
   */
  useCheckpoints<Result>(
    work: (checkpoints: OpenTools['checkpoints']) => Promise<Result>,
  ): Promise<Result>
  /**
   * Creates a pool of resources that depend on the settings of folders. `reload` and `close`
   * include it.
   */
  createPool<Thing extends Closable>(max: number): IdlePool<Thing>
  /**
   * Closes all resources that were opened with the settings of a folder or of a folder inside it,
   * so that the next use reopens them. Resources in use are closed afterwards.
   */
  reload(folder: string): Promise<void>
  close(): Promise<void>
}

/** Opens folders on demand. */
export function createFolders(
  home: Pick<Workspace, 'folder' | 'reopen'>,
  onError: (error: unknown) => void,
): Folders {
  const pools: Pick<IdlePool<Closable>, 'dropInside' | 'close'>[] = []
  function createPool<Thing extends Closable>(max: number): IdlePool<Thing> {
    const pool = createIdlePool<Thing>({ idle: IDLE, max, onError })
    pools.push(pool)
    return pool
  }
  const shared = createPool<OpenTools>(4)
  const own = createPool<OpenTools>(16)
  const openOwn = (workspace: Workspace): Promise<OpenTools> =>
    openTools(workspace, { startServer: () => false })
  return {
    default: home.folder,
    async open(path = home.folder, rules = {}) {
      if (!isAbsolute(path)) throw notFound('folder must be an absolute path.')
      if (findFolder(path) === undefined) throw notFound('There is no such folder.')
      return home.reopen(path, rules)
    },
    useTools: (workspace, work) =>
      shared.use(
        placeOf(workspace, workspace.folder),
        () => openTools(workspace),
        (opened) => work(opened.withTogglesOf(workspace)),
      ),
    async useOwnTools(workspace, run, work) {
      if (run !== undefined) {
        const key = JSON.stringify([workspace.folder, run])
        return own.use(
          placeOf(workspace, key),
          () => openOwn(workspace),
          (opened) => work(opened.withTogglesOf(workspace)),
        )
      }
      return useOnce(await openOwn(workspace), work)
    },
    async useCheckpoints(work) {
      const workspace = await home.reopen()
      const opened = await openTools(workspace, { canonicalOnly: true })
      return useOnce(opened, ({ checkpoints }) => work(checkpoints))
    },
    createPool,
    async reload(folder) {
      await Promise.all(pools.map((pool) => pool.dropInside(folder)))
    },
    async close() {
      await Promise.all(pools.map((pool) => pool.close()))
    },
  }
}

async function useOnce<Result>(
  opened: OpenTools,
  work: (tools: OpenTools) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(opened)
  } finally {
    await opened.close()
  }
}

/**
 * How long idle resources stay open, in milliseconds: background commands keep running, and MCP
 * servers are not restarted.
 */
const IDLE = 10 * 60_000

function placeOf(workspace: Workspace, key: string): PoolPlace {
  return { key, folder: workspace.folder, version: toolsVersion(workspace) }
}

function notFound(message: string): HttpError {
  return new HttpError('folder_not_found', message, {
    action: 'Check the path. GET /api/folders lists the known folders.',
  })
}
