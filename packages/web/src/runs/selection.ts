import { useMemo } from 'react'
import type { RunsSearch } from '../app/router.tsx'

/** The list's parameters of an address, without the selection in a run. */
export function withoutSelection(search: RunsSearch): RunsSearch {
  const { turn: _, with: __, call: ___, at: ____, ...others } = search
  return others
}

/** The same, and the same object until that changes: links need not be drawn again when something else is selected. */
export function useListSearch(search: RunsSearch): RunsSearch {
  const key = JSON.stringify(withoutSelection(search))
  return useMemo(() => JSON.parse(key) as RunsSearch, [key])
}

/** Changes in an address. What is undefined is taken out. */
export type SearchChange = { readonly [Key in keyof RunsSearch]: RunsSearch[Key] | undefined }

/** An address with changes. */
export function changeSearch(search: RunsSearch, change: SearchChange): RunsSearch {
  const entries = Object.entries({ ...search, ...change })
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as RunsSearch
}
