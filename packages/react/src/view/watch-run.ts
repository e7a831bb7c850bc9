import type { Client } from '@toolglot/server/client'
import { createFold } from './fold.ts'
import type { RunView } from './run-view.ts'

/** The view of a run, and whether it is current. */
export interface WatchedRun {
  readonly view: RunView
  /** `lost`: the server does not answer; the view is as it was, and continues when it answers again. */
  readonly connection: 'connecting' | 'connected' | 'lost'
  /** Why the run cannot be watched: an ApiError, if the server refused. */
  readonly error: Error | undefined
}

/** Something that changes. Its current value is the same object until it does. */
export interface Watched<Value> {
  readonly current: () => Value
  /** Calls back after each change. Returns how to stop that. Nothing is sent while nobody subscribes. */
  readonly subscribe: (listener: () => void) => () => void
  /** Whether somebody subscribes. */
  readonly isWatched: () => boolean
}

/** How changes are put together before anyone hears of them: `wait` calls back once, soon. */
export interface WatchOptions {
  readonly wait?: ((callback: () => void) => void) | undefined
}

/** Watches a run: its events as they come, also over lost connections and restarts of the server. */
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
      // The server sends the previews after the last recorded event again.
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
        // Thousands of events can come at once: the page must be able to draw in between.
        if (performance.now() - began < MAX_WORK) continue
        await new Promise((resolve) => void setTimeout(resolve))
        began = performance.now()
      }
    },
  )
}

/** For how long events are read without a break, in milliseconds. */
const MAX_WORK = 8

/** Changes some fields; those of `later` are only computed when somebody is told. */
type Change<Value> = (
  fields: Partial<Value>,
  later?: { readonly [Key in keyof Value]?: () => Value[Key] },
) => void

/** Creates something that changes while somebody subscribes, by what `follow` reads. */
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
        // React unsubscribes and subscribes again in one go: the connection need not be made twice.
        queueMicrotask(() => {
          if (listeners.size > 0) return
          stop?.abort()
          stop = undefined
        })
      }
    },
  }
}

/** With the next frame. A page that nobody sees has none, and may be hidden while it waits for one. */
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

/** Not everything that runs this has frames. */
interface Frames {
  readonly requestAnimationFrame?: (callback: () => void) => number
}

/** In milliseconds. */
const LONGEST_FRAME = 100
