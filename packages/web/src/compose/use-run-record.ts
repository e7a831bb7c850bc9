import type { Chat } from '@toolglot/react'
import { useApi } from '../app/use-api.ts'
import type { ApiAnswer } from '@toolglot/server/client'

/** The interval for checking that a process still executes the run, in milliseconds. */
const EVERY = 5000

/** The server's record of a chat's run. */
export function useRunRecord({
  run,
}: Pick<Chat, 'run'>): ApiAnswer<'GET /api/runs/:run'> | undefined {
  const view = run?.view
  const { data } = useApi(
    'GET /api/runs/:run',
    { parameters: { run: view?.run ?? '' } },
    {
      enabled: view !== undefined && view.state !== 'new',
      refetchInterval: view?.state === 'working' ? EVERY : undefined,
    },
  )
  return data
}
