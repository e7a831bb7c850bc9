import { useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import { useClient } from '@toolglot/react'
import { useApi } from '../app/use-api.ts'
import { useFolder } from '../folders/use-folder.ts'
import type { Settings } from './place.ts'

/** The settings of the folder in the address. */
export function useSettings(): UseQueryResult<Settings> {
  const { folder } = useFolder()
  return useApi('GET /api/settings', { query: { folder } })
}

/** A change of the person's own settings. */
export interface Change {
  readonly key: string
  /** The new value, given the settings as they are now; null removes the key. */
  readonly value: (now: Settings) => unknown
}

/** Everything that settings decide. */
const CHANGED = [
  'GET /api/settings',
  'GET /api/permit/lint',
  'GET /api/models',
  'GET /api/mcp',
  'GET /api/tools',
  'GET /api/sandbox',
  'GET /api/status',
]

/**
 * Changes the person's own settings. They are read first: another page or an editor may have changed them since they were
 * shown, and a list is written as a whole.
 */
export function useChangeSettings(): UseMutationResult<unknown, Error, Change> {
  const client = useClient()
  const queries = useQueryClient()
  const { folder } = useFolder()
  return useMutation({
    async mutationFn({ key, value }: Change) {
      const now = await client.request('GET /api/settings', { query: { folder } })
      return await client.request('PUT /api/settings', { body: { key, value: value(now) } })
    },
    onSettled: () =>
      Promise.all([
        ...CHANGED.map((name) => queries.invalidateQueries({ queryKey: [name] })),
        queries.invalidateQueries({ queryKey: ['permit'] }),
      ]),
  })
}
