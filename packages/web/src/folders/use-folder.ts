import { useLocation, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ApiError } from '@toolglot/server/client'
import type { PageSearch } from '../app/router.tsx'
import { useApi } from '../app/use-api.ts'
import { VIEWS } from '../app/views.ts'
import { shortPath } from './short-path.ts'
import { type TrustOffer, type TrustState, trustStateOf } from './trust-words.tsx'

/**
 * The folder that the page works in. `folder` is undefined for the server's own; `path` is
 * undefined until known.
 */
interface Selected {
  readonly folder: string | undefined
  readonly path: string | undefined
}

/** The folder that the page works in. */
export interface SelectedFolder {
  /** Its path; undefined for the server's own. */
  readonly folder: string | undefined
  /** Its path, even for the server's own folder; undefined until known. */
  readonly path: string | undefined
  /** Its shortened path. */
  readonly name: string
  /** The trust state of its settings; undefined until known. */
  readonly trust: TrustState | undefined
  /** The grants of its settings. */
  readonly offer: TrustOffer | undefined
  /** The search parameters of addresses in this folder. */
  readonly search: PageSearch
  /**
   * Switches to another folder within the same view: to a new chat, or to the folder's settings.
   */
  readonly select: (folder: string | undefined) => void
}

/** The folder in the address, that of the displayed run, or the server's own. */
export function useFolder(): SelectedFolder {
  const { folder: inAddress } = useSearch({ strict: false })
  const { run } = useParams({ strict: false })
  const navigate = useNavigate()
  const address = useLocation({ select: ({ pathname }) => pathname })
  const shown = useApi(
    'GET /api/runs/:run',
    { parameters: { run: run ?? '' } },
    { enabled: run !== undefined && inAddress === undefined },
  )
  const status = useApi('GET /api/status', undefined, { staleTime: 60_000 })
  const { folder, path } = selectedFolder({
    inAddress,
    ofRun: run === undefined ? undefined : shown.data?.summary.folder,
    isRunUnknown: run !== undefined && shown.isPending,
    own: status.data?.folder,
  })
  const trust = useApi(
    'GET /api/trust',
    { query: { folder: path } },
    { enabled: path !== undefined },
  )
  const isGone = trust.error instanceof ApiError && trust.error.code === 'folder_not_found'
  const search = folder === undefined ? {} : { folder }
  return {
    folder,
    path,
    name: path === undefined ? '' : shortPath(path, { home: status.data?.home }),
    trust: isGone ? 'gone' : trust.data && trustStateOf(trust.data),
    offer: trust.data,
    search,
    select: (next) => {
      const isOwn = next === undefined || next === status.data?.folder
      const search = isOwn ? {} : { folder: next }
      const to = VIEWS.find(({ paths }) => paths.test(address))?.to ?? '/chat'
      void navigate({ to, params: (params: object) => ({ ...params, run: undefined }), search })
    },
  }
}

/** The folder in the address, that of the displayed run, or the server's own. */
export function selectedFolder({
  inAddress,
  ofRun,
  isRunUnknown,
  own,
}: {
  readonly inAddress: string | undefined
  readonly ofRun: string | undefined
  /** A run is displayed but not loaded yet. */
  readonly isRunUnknown: boolean
  readonly own: string | undefined
}): Selected {
  // The user's decision must apply to the folder of the run.
  if (inAddress === undefined && isRunUnknown) return { folder: undefined, path: undefined }
  const selected = inAddress ?? ofRun
  const folder = selected === own ? undefined : selected
  return { folder, path: folder ?? own }
}
