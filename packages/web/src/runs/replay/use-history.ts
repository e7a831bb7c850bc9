import { useClient } from '@toolglot/react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { RunEvent } from '@toolglot/agent'
import { createFold, type Fold, type RunView } from '@toolglot/react/view'

/** The loaded events of a run. */
interface LoadedHistory {
  readonly history: History
  readonly count: number
  readonly isLoading: boolean
  readonly error: Error | undefined
}

/** The number of events per request, which are folded without a pause. */
const PAGE = 2000

/** Loads the events of a run, including those added while it is shown. */
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
    // The load in progress continues: the run may grow meanwhile.
    state.last = seq
    setCount(history.count())
    if (state.isActive) return
    const load = async (): Promise<void> => {
      // The view of the run may not have loaded all of its events.
      for (let isFull = false; isFull || history.count() <= state.last;) {
        const events = await client.request('GET /api/runs/:run/replay', {
          parameters: { run },
          query: { after: history.count() - 1, limit: PAGE },
          signal,
        })
        if (signal.aborted || events.length === 0) break
        // Another load may have added some of them meanwhile.
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

/** The load in progress, and its last event. */
interface Loading {
  readonly stop: AbortController
  last: number
  isActive: boolean
}

/** The recorded events of a run, and the state of the run after each. */
export interface History {
  /** Adds the next events. */
  readonly add: (events: readonly RunEvent[]) => void
  /** The number of events. */
  readonly count: () => number
  /** The run after `count` events. Takes at most as long as folding a few hundred events. */
  readonly viewAt: (count: number) => RunView
  /** The time of the last of `count` events, in milliseconds since 1970. */
  readonly timeAt: (count: number) => number | undefined
  /** The number of events before the next or previous turn or message. */
  readonly stopFrom: (count: number, by: 1 | -1) => number
}

/** The minimum number of events between two kept folds, and the maximum number of kept folds. */
const MIN_INTERVAL = 256
const MAX_KEPT = 64

/** Creates the history of a run. */
export function createHistory(run: string, interval = MIN_INTERVAL): History {
  const events: RunEvent[] = []
  /** The numbers of events before each turn or message. */
  const stops: number[] = []
  /** The folds after 0, `interval`, 2 × `interval`… events. */
  let kept: Fold[] = [createFold(run)]
  /** The fold of all events. */
  const last = createFold(run)
  /** The fold requested last: the next request usually continues from there. */
  let current = { count: 0, fold: createFold(run) }

  function keep(): void {
    if (events.length % interval !== 0) return
    // Copies then share its turns, so unchanged ones are not drawn again.
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
