import { useClient } from '@toolglot/react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { RunEvent } from '@toolglot/agent'
import { createFold, type Fold, type RunView } from '@toolglot/react/view'

/** The events of a run, as far as they have come. */
interface LoadedHistory {
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
    // Loading goes on: while a run is read, it may keep growing.
    state.last = seq
    setCount(history.count())
    if (state.isActive) return
    const load = async (): Promise<void> => {
      // The view of the run may not have read all of its events.
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

/** The load in progress, up to which event. */
interface Loading {
  readonly stop: AbortController
  last: number
  isActive: boolean
}

/** The recorded events of a run, and how the run was after each of them. */
export interface History {
  /** Adds the events that come next. */
  readonly add: (events: readonly RunEvent[]) => void
  /** How many events there are. */
  readonly count: () => number
  /** The run after that many events. Takes as long as folding a few hundred events, wherever that is. */
  readonly viewAt: (count: number) => RunView
  /** When that many events had happened, in milliseconds since 1970. */
  readonly timeAt: (count: number) => number | undefined
  /** After how many events the next turn or message begins, or the one before. */
  readonly stopFrom: (count: number, by: 1 | -1) => number
}

/** How many events there are at least between two folds that are kept, and how many are kept. */
const MIN_INTERVAL = 256
const MAX_KEPT = 64

/** Creates the history of a run. */
export function createHistory(run: string, interval = MIN_INTERVAL): History {
  const events: RunEvent[] = []
  /** After how many events a turn or a message begins. */
  const stops: number[] = []
  /** The folds after 0, `interval`, 2 × `interval`… events. */
  let kept: Fold[] = [createFold(run)]
  /** The fold of all events. */
  const last = createFold(run)
  /** The fold that was asked for last: most people go on from there. */
  let current = { count: 0, fold: createFold(run) }

  function keep(): void {
    if (events.length % interval !== 0) return
    // Its copies then have the same turns, so that what did not change is not drawn again.
    last.view()
    kept.push(last.copy())
    if (kept.length <= MAX_KEPT) return
    kept = kept.filter((_, at) => at % 2 === 0)
    interval *= 2
  }

  return {
    add(more) {
      for (const event of more) {
        events.push(event)
        last.add(event)
        if (event.type === 'turn-start' || event.type === 'prompt') stops.push(events.length)
        keep()
      }
    },
    count: () => events.length,
    viewAt(count) {
      const wanted = Math.max(0, Math.min(count, events.length))
      if (wanted === events.length) return last.view()
      const nearest = Math.min(Math.floor(wanted / interval), kept.length - 1)
      if (current.count > wanted || current.count < nearest * interval)
        current = { count: nearest * interval, fold: kept[nearest]!.copy() }
      for (; current.count < wanted; current.count++) current.fold.add(events[current.count]!)
      return current.fold.view()
    },
    timeAt: (count) => events[Math.max(0, count - 1)]?.time,
    stopFrom(count, by) {
      if (by > 0) return stops.find((stop) => stop > count) ?? events.length
      return stops.findLast((stop) => stop < count) ?? 0
    },
  }
}
