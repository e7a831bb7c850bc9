import { useLocation, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ApiError } from '@toolglot/server/client'
import type { PageSearch } from '../app/router.tsx'
import { useApi } from '../app/use-api.ts'
import { VIEWS } from '../app/views.ts'
import { shortPath } from './short-path.ts'
import { type TrustOffer, type TrustState, trustStateOf } from './trust-words.tsx'

/** The folder that the page works in. `folder`: undefined for the server's own. `path`: undefined until it is known. */
interface Selected {
  readonly folder: string | undefined
  readonly path: string | undefined
}

/** The folder that the page works in. */
export interface SelectedFolder {
  /** Its path; undefined for the server's own. */
  readonly folder: string | undefined
  /** Its path, also if it is the server's own; undefined until that is known. */
  readonly path: string | undefined
  /** Its path as it is written where there is little room. */
  readonly name: string
  /** Whether its settings count; undefined until that is known. */
  readonly trust: TrustState | undefined
  /** The grants of its settings. */
  readonly offer: TrustOffer | undefined
  /** The search parameters of addresses in this folder. */
  readonly search: PageSearch
  /** Goes to another folder, in the same view: in a chat to a new chat, in the settings to its settings. */
  readonly select: (folder: string | undefined) => void
}

/** The folder in the address of the page, or that of the run that is shown, or the server's own. */
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

/** The folder in the address, or that of the run that is shown, or the server's own. */
export function selectedFolder({
  inAddress,
  ofRun,
  isRunUnknown,
  own,
}: {
  readonly inAddress: string | undefined
  readonly ofRun: string | undefined
  /** A run is shown, and nothing is known about it yet. */
  readonly isRunUnknown: boolean
  readonly own: string | undefined
}): Selected {
  // A person's decision must be about the folder of the run.
  if (inAddress === undefined && isRunUnknown) return { folder: undefined, path: undefined }
  const selected = inAddress ?? ofRun
  const folder = selected === own ? undefined : selected
  return { folder, path: folder ?? own }
}
