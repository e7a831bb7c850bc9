import { useApi } from '../app/use-api.ts'

/** The user's home folder on the server, which people write as `~`. */
export function useHome(): string | undefined {
  return useApi('GET /api/status', undefined, { staleTime: 60_000 }).data?.home
}
