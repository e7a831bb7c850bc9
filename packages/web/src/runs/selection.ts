import { useMemo } from 'react'
import type { RunsSearch } from '../app/router.tsx'

/** The list parameters of an address, without the selection in a run. */
export function withoutSelection(search: RunsSearch): RunsSearch {
  const { turn: _, with: __, call: ___, at: ____, ...others } = search
  return others
}

/** The same as a stable object, so links are not redrawn when the selection changes. */
export function useListSearch(search: RunsSearch): RunsSearch {
  const key = JSON.stringify(withoutSelection(search))
  return useMemo(() => JSON.parse(key) as RunsSearch, [key])
}

/** Changes to an address. Undefined removes a parameter. */
export type SearchChange = { readonly [Key in keyof RunsSearch]: RunsSearch[Key] | undefined }

/** The address with changes applied. */
export function changeSearch(search: RunsSearch, change: SearchChange): RunsSearch {
  const entries = Object.entries({ ...search, ...change })
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as RunsSearch
}
