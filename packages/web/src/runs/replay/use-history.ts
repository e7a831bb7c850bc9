import { useClient } from '@toolglot/react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { createHistory, type History } from './history.ts'

/** The events of a run, as far as they have come. */
export interface LoadedHistory {
  readonly history: History
  readonly count: number
  readonly isLoading: boolean
  readonly error: Error | undefined
}

/** How many events are asked for at once: so many are folded without a pause. */
const PAGE = 2000

/** Loads the events of a run, and those that are added while it is shown. */
export function useHistory(run: string, seq: number): LoadedHistory {
  const client = useClient()
  const history = useMemo(() => createHistory(run), [run])
  const [count, setCount] = useState(0)
  const [isLoading, setLoading] = useState(true)
  const [error, setError] = useState<Error>()
  const loading = useRef<Loading>(undefined)
  useEffect(() => {
    const stop = new AbortController()
    loading.current = { stop, last: -1, isActive: false }
    return () => stop.abort()
  }, [client, history])
  useEffect(() => {
    const state = loading.current!
    const { signal } = state.stop
    // What is on its way goes on: while a run is read, it gets longer all the time.
    state.last = seq
    setCount(history.count())
    if (state.isActive) return
    const load = async (): Promise<void> => {
      // What shows the run may not have read as much of it as is there.
      for (let isFull = false; isFull || history.count() <= state.last;) {
        const events = await client.request('GET /api/runs/:run/replay', {
          parameters: { run },
          query: { after: history.count() - 1, limit: PAGE },
          signal,
        })
        if (signal.aborted || events.length === 0) break
        // Another one may have added some of them meanwhile.
        history.add(events.filter((event) => event.seq >= history.count()))
        setCount(history.count())
        isFull = events.length === PAGE
      }
      state.isActive = false
    }
    state.isActive = true
    setLoading(history.count() <= seq)
    load().then(
      () => end(undefined),
      (thrown: unknown) => end(thrown instanceof Error ? thrown : new Error(String(thrown))),
    )
    function end(problem: Error | undefined): void {
      state.isActive = false
      if (signal.aborted) return
      setLoading(false)
      setError(problem)
    }
  }, [client, run, seq, history])
  return { history, count, isLoading, error }
}

/** What is being loaded, up to which event. */
interface Loading {
  readonly stop: AbortController
  last: number
  isActive: boolean
}
