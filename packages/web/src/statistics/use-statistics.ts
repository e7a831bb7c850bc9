import { useNavigate, useSearch } from '@tanstack/react-router'
import type { UseQueryResult } from '@tanstack/react-query'
import type { StatisticsSearch } from '../app/router.tsx'
import { useApi } from '../app/use-api.ts'
import { useFolder } from '../folders/use-folder.ts'
import type { Statistics } from './figures.ts'

const DEFAULT_DAYS = 30
/** How often the figures are asked for again, in milliseconds: runs go on. */
const REFRESH = 15_000

/** What is counted: by the address of the page. */
export interface Filter extends Pick<StatisticsSearch, 'tool' | 'model' | 'protocol'> {
  /** 0: all. */
  readonly days: number
  readonly isHere: boolean
}

/** The figures of the view, what they count, and how that is changed. */
export interface StatisticsState {
  readonly filter: Filter
  /** Whether only some tool, model or protocol is counted. */
  readonly isNarrow: boolean
  readonly change: (
    next: Partial<Record<'tool' | 'model' | 'protocol', string | undefined>>,
  ) => void
  readonly setDays: (days: number) => void
  readonly setHere: (isHere: boolean) => void
  readonly query: UseQueryResult<Statistics>
  /** The figures of all tools, models and protocols: what can be chosen. */
  readonly all: Statistics | undefined
}

/** The figures that the address of the page asks for. */
export function useStatistics(): StatisticsState {
  const search = useSearch({ strict: false }) as StatisticsSearch
  const { tool, model, protocol, days = DEFAULT_DAYS, here = false } = search
  const { path } = useFolder()
  const navigate = useNavigate()
  const only = {
    tool,
    model,
    protocol,
  }
  const scope = {
    days: days > 0 ? Math.min(days, MAX_DAYS) : undefined,
    folder: here && path !== undefined ? path : undefined,
  }
  const options = {
    enabled: !here || path !== undefined,
    refetchInterval: REFRESH,
    keepsLast: true,
  }
  const all = useApi('GET /api/stats', { query: scope }, options)
  const query = useApi('GET /api/stats', { query: { ...scope, ...only } }, options)
  const go = (next: Partial<Record<keyof StatisticsSearch, unknown>>): void => {
    const all = Object.entries({ ...search, ...next }).filter(([, value]) => value !== undefined)
    void navigate({ to: '/statistics', search: Object.fromEntries(all) as StatisticsSearch })
  }
  return {
    filter: { ...only, days, isHere: here },
    isNarrow: Object.values(only).some((name) => name !== undefined),
    change: go,
    setDays: (next) => go({ days: next === DEFAULT_DAYS ? undefined : next }),
    setHere: (isHere) => go({ here: isHere ? true : undefined }),
    query,
    all: all.data,
  }
}

const MAX_DAYS = 36_500
