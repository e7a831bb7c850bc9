import { useMemo } from 'react'
import { useApi } from '../app/use-api.ts'

const NONE: ReadonlyMap<string, number> = new Map()

/** How often each name of a tool was called in recorded runs, aliases on their own; undefined until that is known. */
export function useToolCalls(): ReadonlyMap<string, number> | undefined {
  const { data, isError } = useApi('GET /api/stats', { query: {} }, { staleTime: 60_000 })
  return useMemo(
    () =>
      data
        ? new Map(data.tools.map(({ name, calls }) => [name, calls]))
        : isError
          ? NONE
          : undefined,
    [data, isError],
  )
}
