import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { useClient } from '@toolglot/react'
import type { ApiAnswer, ApiInput } from '@toolglot/server/client'
import { useMemo } from 'react'
import type { RunsSearch } from '../../app/router.tsx'
import type { RunSummary } from '../../app/use-runs.ts'

type Page = ApiAnswer<'GET /api/search'>
type Query = NonNullable<ApiInput<'GET /api/search'>['query']>

/** The runs loaded so far. */
export interface RunPages {
  readonly runs: readonly RunSummary[]
  /** The total number of runs; undefined until known. */
  readonly total: number | undefined
  readonly error: Error | null
  /** True until the first page arrives. */
  readonly isPending: boolean
  /** True if there may be more runs. */
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
  readonly loadMore: () => void
  readonly retry: () => void
}

/** The intervals for requesting the list, in milliseconds: while a run is active, and otherwise. */
const SOON = 3000
const LATER = 15_000
/** The maximum number of pages that are refreshed automatically. */
const MAX_LIVE_PAGES = 3

/** The runs that match an address, page by page. */
export function useRunPages(search: RunsSearch): RunPages {
  const client = useClient()
  const query = queryOf(search)
  const found = useInfiniteQuery({
    // Every change to the list of runs invalidates this key.
    queryKey: ['GET /api/runs', 'search', query],
    queryFn: ({ pageParam, signal }) =>
      client.request('GET /api/search', {
        query: { ...query, ...(pageParam !== undefined && { after: pageParam }) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: Page) => next,
    refetchInterval: ({ state }) => intervalOf(state.data),
  })
  const { data } = found
  const runs = useMemo(() => withoutRepeats(data?.pages ?? []), [data])
  return {
    runs,
    total: data?.pages[0]?.total,
    error: found.error,
    isPending: found.isPending,
    hasMore: found.hasNextPage,
    isLoadingMore: found.isFetchingNextPage,
    loadMore: () => void found.fetchNextPage({ cancelRefetch: false }),
    // If only the next page failed, the loaded runs need not be requested again.
    retry: () => void (found.isFetchNextPageError ? found.fetchNextPage() : found.refetch()),
  }
}

function queryOf({ search, tool, model, protocol, reason }: RunsSearch): Query {
  return {
    text: search,
    tool,
    model,
    protocol,
    reason,
  }
}

function intervalOf(data: InfiniteData<Page> | undefined): number | false {
  if (!data || data.pages.length > MAX_LIVE_PAGES) return false
  const isLive = data.pages.some(({ runs }) => runs.some(({ state }) => LIVE.has(state)))
  return isLive ? SOON : LATER
}

const LIVE: ReadonlySet<string> = new Set(['running', 'waiting'])

/** A run that changed between two requests is listed on the first page and again later. */
function withoutRepeats(pages: readonly Page[]): readonly RunSummary[] {
  const runs = new Map<string, RunSummary>()
  for (const page of pages)
    for (const run of page.runs) if (!runs.has(run.run)) runs.set(run.run, run)
  return [...runs.values()]
}
