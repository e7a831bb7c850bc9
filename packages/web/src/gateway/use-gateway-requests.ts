import { useClient } from '@toolglot/react'
import { ApiError } from '@toolglot/server/client'
import { useCallback, useEffect, useState } from 'react'
import { foldRequests, type GatewayRequests } from './fold-requests.ts'

/** The requests to the gateway, as far as they are known. */
export interface KnownRequests {
  /** Undefined until the server has answered. They stay while it is gone. */
  readonly known: GatewayRequests | undefined
  /** Why no more come. */
  readonly error: Error | undefined
  readonly retry: () => void
}

/** The requests to the gateway while they happen. */
export function useGatewayRequests(): KnownRequests {
  const client = useClient()
  const [known, setKnown] = useState<GatewayRequests>()
  const [error, setError] = useState<Error>()
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    const stop = new AbortController()
    const follow = async (): Promise<void> => {
      for await (const message of client.gatewayRequests({ signal: stop.signal }))
        setKnown((before) => foldRequests(before, message))
    }
    follow().catch((thrown: unknown) => {
      // That the session has ended is said by the page.
      if (stop.signal.aborted || (thrown instanceof ApiError && thrown.status === 401)) return
      setError(thrown instanceof Error ? thrown : new Error(String(thrown)))
    })
    return () => stop.abort()
  }, [client, attempt])
  const retry = useCallback(() => {
    setError(undefined)
    setAttempt((before) => before + 1)
  }, [])
  return { known, error, retry }
}
