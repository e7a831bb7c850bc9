import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { useClient } from '@toolglot/react'
import type { ApiAnswer, ApiInput } from '@toolglot/server/client'
import { useMemo } from 'react'
import type { RunsSearch } from '../../app/router.tsx'
import type { RunSummary } from '../../app/use-runs.ts'

type Page = ApiAnswer<'GET /api/search'>
type Query = NonNullable<ApiInput<'GET /api/search'>['query']>

/** The runs that were found so far. */
export interface RunPages {
  readonly runs: readonly RunSummary[]
  /** How many runs there are at all; undefined until that is known. */
  readonly total: number | undefined
  readonly error: Error | null
  /** Whether nothing is known yet. */
  readonly isPending: boolean
  /** Whether there may be more. */
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
  readonly loadMore: () => void
  readonly retry: () => void
}

/** How often the list is asked for, in milliseconds: while a run is on its way, and otherwise. */
const SOON = 3000
const LATER = 15_000
/** So many pages are asked for again by themselves. */
const MAX_LIVE_PAGES = 3

/** The runs that an address asks for, page by page. */
export function useRunPages(search: RunsSearch): RunPages {
  const client = useClient()
  const query = queryOf(search)
  const found = useInfiniteQuery({
    // Everything that changes the list of runs changes this.
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
    // Listed runs need not be requested again if only the next page is missing.
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

/** A run that something was added to between two pages is on the first one. */
function withoutRepeats(pages: readonly Page[]): readonly RunSummary[] {
  const runs = new Map<string, RunSummary>()
  for (const page of pages)
    for (const run of page.runs) if (!runs.has(run.run)) runs.set(run.run, run)
  return [...runs.values()]
}
