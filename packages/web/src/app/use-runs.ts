import { usePending } from '@toolglot/react'
import type { RunSummary } from './run-title.ts'
import { useApi } from './use-api.ts'

/** How often the list is asked for, in milliseconds: while a run is on its way, and otherwise. */
const SOON = 3000
const LATER = 15_000

/** The latest runs: of all folders, or of one. */
export function useRecentRuns(folder?: string): readonly RunSummary[] | undefined {
  const query = { limit: 30, folder }
  return useApi(
    'GET /api/runs',
    { query },
    { refetchInterval: (last) => (last?.some(isOnItsWay) ? SOON : LATER) },
  ).data
}

function isOnItsWay({ state }: RunSummary): boolean {
  return state === 'running' || state === 'waiting'
}

/** The runs that wait for a person. */
export function useWaitingRuns(): ReadonlySet<string> {
  const { pending } = usePending()
  return new Set(pending.map(({ run }) => run))
}
