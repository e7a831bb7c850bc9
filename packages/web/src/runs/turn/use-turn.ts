import type { UseQueryResult } from '@tanstack/react-query'
import type { ApiAnswer } from '@toolglot/server/client'
import { useApi } from '../../app/use-api.ts'

/** A turn as it was recorded. */
export type RecordedTurn = ApiAnswer<'GET /api/runs/:run/turns/:turn'>

/** A turn as it was recorded. It is not asked for before it is complete. */
export function useTurn(
  run: string,
  turn: number | undefined,
  isComplete = true,
): UseQueryResult<RecordedTurn> {
  return useApi(
    'GET /api/runs/:run/turns/:turn',
    { parameters: { run, turn: String(turn ?? 0) } },
    { staleTime: Infinity, enabled: turn !== undefined && isComplete },
  )
}
