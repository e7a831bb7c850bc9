import { randomBytes } from 'node:crypto'
import type { RunEvent } from '@toolglot/agent'

/** A transient event, numbered after the last recorded event. */
interface Preview {
  readonly event: RunEvent
  readonly number: number
}

/**
 * The events of one execution of a run. Recorded events are in the journal; transient ones since
 * the last recorded event are kept here.
 */
export interface Feed {
  /** Identifies the execution. Numbers of other executions are invalid here. */
  readonly epoch: string
  /** The approximate number of characters emitted so far. */
  readonly emitted: number
  add(event: RunEvent): void
  /** The kept transient events after this number that follow the recorded event `seq`. */
  after(seq: number, number: number): readonly Preview[]
  /** Calls the listener when there are more events. Returns a function that unsubscribes. */
  onAdd(listener: () => void): () => void
}

/** Creates the feed of one execution. */
export function createFeed(): Feed {
  const listeners = new Set<() => void>()
  let emitted = 0
  let seq = -1
  let count = 0
  let kept: Preview[] = []
  let size = 0

  const keep = (event: RunEvent, length: number): void => {
    if (event.seq !== seq) {
      seq = event.seq
      count = 0
      kept = []
      size = 0
    }
    kept.push({ event, number: count++ })
    size += length
    // The output of a command may be endless. Its end is recorded.
    if (size <= MAX_SIZE) return
    kept = kept.slice(Math.ceil(kept.length / 2))
    size = kept.reduce((sum, each) => sum + sizeOf(each.event), 0)
  }

  return {
    epoch: randomBytes(4).toString('hex'),
    get emitted() {
      return emitted
    },
    add(event) {
      const length = sizeOf(event)
      emitted += length
      if (event.transient) keep(event, length)
      for (const listener of listeners) listener()
    },
    after(wanted, number) {
      if (wanted !== seq) return []
      const first = kept[0]?.number ?? 0
      return kept.slice(Math.max(0, number + 1 - first))
    },
    onAdd(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The approximate length of an event as JSON, in characters. */
function sizeOf(event: RunEvent): number {
  // Such events are frequent and similar, so an estimate is enough.
  if ('delta' in event) return event.delta.length + 150
  return JSON.stringify(event).length
}

/** The maximum size, in characters. */
const MAX_SIZE = 1 << 20

/**
 * A signal to wait for. If it rings while there is no waiter, the next wait returns immediately.
 */
interface Bell {
  readonly ring: () => void
  rung(): Promise<void>
}

/** Creates a bell for a single waiter. Two waiters, or an abandoned wait, would lose rings. */
export function createBell(): Bell {
  let hasRung = false
  let wake: (() => void) | undefined
  return {
    ring() {
      hasRung = true
      wake?.()
    },
    async rung() {
      if (!hasRung) await new Promise<void>((resolve) => (wake = resolve))
      hasRung = false
      wake = undefined
    },
  }
}

/** A listener of a run. */
export interface FeedListener {
  /** Called when there is a new execution, or none any more. */
  changed(): void
  /** Called when the run was deleted. */
  deleted(): void
}

/** The feeds of the runs that this server executes, and their listeners. */
interface Feeds {
  get(run: string): Feed | undefined
  set(run: string, feed: Feed): void
  /** Ends the feed of an execution. */
  end(run: string): void
  /** Removes a deleted run. */
  remove(run: string): void
  /** Calls the listener when the run's state changes. Returns a function that unsubscribes. */
  watch(run: string, listener: FeedListener): () => void
  /**
   * Calls the listener when there is a new event or a new execution. Returns a function that
   * unsubscribes.
   */
  onEvent(run: string, listener: () => void): () => void
}

/** Creates the feeds of a server. */
export function createFeeds(): Feeds {
  const feeds = new Map<string, Feed>()
  const followers = new Map<string, Set<FeedListener>>()
  const tell = (run: string, what: keyof FeedListener): void => {
    for (const listener of followers.get(run) ?? []) listener[what]()
  }
  const watch: Feeds['watch'] = (run, listener) => {
    const listeners = followers.get(run) ?? new Set<FeedListener>()
    followers.set(run, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && followers.get(run) === listeners) followers.delete(run)
    }
  }
  return {
    get: (run) => feeds.get(run),
    set(run, feed) {
      feeds.set(run, feed)
      tell(run, 'changed')
    },
    end(run) {
      feeds.delete(run)
      tell(run, 'changed')
    },
    remove: (run) => tell(run, 'deleted'),
    watch,
    onEvent(run, listener) {
      let unwatch = feeds.get(run)?.onAdd(listener)
      const forget = watch(run, {
        changed() {
          unwatch?.()
          unwatch = feeds.get(run)?.onAdd(listener)
          listener()
        },
        deleted() {},
      })
      return () => {
        unwatch?.()
        forget()
      }
    },
  }
}
