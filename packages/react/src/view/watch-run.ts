import type { Client } from '@toolglot/server/client'
import { createFold } from './fold.ts'
import type { RunView } from './run-view.ts'

/** The view of a run, and the state of the connection. */
export interface WatchedRun {
  readonly view: RunView
  /**
   * `lost` means that the server does not respond. The view is kept and continues once the server
   * responds.
   */
  readonly connection: 'connecting' | 'connected' | 'lost'
  /** The reason why the run cannot be watched: an ApiError if the server refused. */
  readonly error: Error | undefined
}

/** A changing value. `current` returns the same object until it changes. */
export interface Watched<Value> {
  readonly current: () => Value
  /**
   * Calls back after each change. Returns a function that stops it. Nothing is transferred without
   * subscribers.
   */
  readonly subscribe: (listener: () => void) => () => void
  /** True if there are subscribers. */
  readonly isWatched: () => boolean
}

/** Batches changes before subscribers are notified. `wait` must call back once, soon. */
export interface WatchOptions {
  readonly wait?: ((callback: () => void) => void) | undefined
}

/**
 * Watches a run. Events are received live, and watching continues after lost connections and
 * restarts of the server.
 */
export function watchRun(
  client: Client,
  run: string,
  { wait = nextFrame }: WatchOptions = {},
): Watched<WatchedRun> {
  const fold = createFold(run)
  return createWatched<WatchedRun>(
    { view: fold.view(), connection: 'connecting', error: undefined },
    wait,
    async (change, signal) => {
      // The server resends the previews that follow the last recorded event.
      fold.dropPreviews()
      change({ connection: 'connecting' }, { view: () => fold.view() })
      const events = client.events(run, {
        signal,
        keepOpen: true,
        after: fold.view().seq >= 0 ? fold.view().seq : undefined,
        onConnect: () => change({ connection: 'connected', error: undefined }),
        onDisconnect: () => change({ connection: 'lost' }),
      })
      let began = performance.now()
      for await (const event of events) {
        fold.add(event)
        change({}, { view: () => fold.view() })
        // Thousands of events can arrive together, so the page gets time to draw in between.
        if (performance.now() - began < MAX_WORK) continue
        await new Promise((resolve) => void setTimeout(resolve))
        began = performance.now()
      }
    },
  )
}

/** The maximum time for reading events without a break, in milliseconds. */
const MAX_WORK = 8

/** Changes some fields. Those in `later` are computed only when subscribers are notified. */
type Change<Value> = (
  fields: Partial<Value>,
  later?: { readonly [Key in keyof Value]?: () => Value[Key] },
) => void

/** Creates a value that changes while it has subscribers. `follow` reads the changes. */
export function createWatched<Value extends { readonly error: Error | undefined }>(
  initial: Value,
  wait: (callback: () => void) => void,
  follow: (change: Change<Value>, signal: AbortSignal) => Promise<void>,
): Watched<Value> {
  const listeners = new Set<() => void>()
  let value = initial
  let pending: Partial<Value> = {}
  let computed: { readonly [Key in keyof Value]?: () => Value[Key] } = {}
  let isDue = false
  let stop: AbortController | undefined

  const tell = (): void => {
    isDue = false
    value = { ...value, ...pending }
    for (const key in computed) value = { ...value, [key]: computed[key]!() }
    pending = {}
    computed = {}
    for (const listener of listeners) listener()
  }
  const change: Change<Value> = (fields, later) => {
    Object.assign(pending, fields)
    if (later) computed = { ...computed, ...later }
    if (isDue) return
    isDue = true
    wait(tell)
  }
  const start = (): void => {
    stop = new AbortController()
    const { signal } = stop
    follow((fields, later) => {
      if (!signal.aborted) change(fields, later)
    }, signal).catch((error: unknown) => {
      if (signal.aborted) return
      change({ error: error instanceof Error ? error : new Error(String(error)) } as Partial<Value>)
    })
  }
  return {
    current: () => value,
    isWatched: () => listeners.size > 0,
    subscribe(listener) {
      listeners.add(listener)
      if (!stop) start()
      return () => {
        listeners.delete(listener)
        // React unsubscribes and subscribes again in the same task, so the connection is kept until
        // the task ends.
        queueMicrotask(() => {
          if (listeners.size > 0) return
          stop?.abort()
          stop = undefined
        })
      }
    },
  }
}

/**
 * Calls back in the next frame. A hidden page has no frames, and a page may become hidden before
 * its next frame.
 */
function nextFrame(callback: () => void): void {
  let isDone = false
  const once = (): void => {
    if (!isDone) callback()
    isDone = true
  }
  const { requestAnimationFrame: frame } = globalThis as Frames
  frame?.(once)
  setTimeout(once, LONGEST_FRAME)
}

/** Animation frames, which not every environment has. */
interface Frames {
  readonly requestAnimationFrame?: (callback: () => void) => number
}

/** The maximum length of a frame, in milliseconds. */
const LONGEST_FRAME = 100
