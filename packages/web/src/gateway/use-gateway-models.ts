import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { observedFetch } from '../app/connection.ts'

/** The names that clients can write in `model`, as the gateway lists them. `default` is the first. */
export function useGatewayModels(): UseQueryResult<readonly string[]> {
  return useQuery({ queryKey: ['GET /v1/models'], queryFn: ({ signal }) => namesOf(signal) })
}

async function namesOf(signal: AbortSignal): Promise<readonly string[]> {
  const response = await observedFetch('/v1/models', { signal })
  if (!response.ok) throw new Error(`The gateway answered with status ${response.status}.`)
  const { data } = (await response.json()) as { readonly data: readonly { readonly id: string }[] }
  const names = data.map(({ id }) => id).filter((id) => id !== DEFAULT_MODEL && id !== '*')
  return [DEFAULT_MODEL, ...names]
}

/** The model that the gateway chooses itself. */
export const DEFAULT_MODEL = 'default'
