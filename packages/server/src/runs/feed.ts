import { randomBytes } from 'node:crypto'
import type { RunEvent } from '@toolglot/agent'

/** A transient event, and its number among those that follow the same recorded event. */
interface Preview {
  readonly event: RunEvent
  readonly number: number
}

/** The events of one execution of a run. The journal has the recorded events; the transient ones since the last are kept here. */
export interface Feed {
  /** Identifies the execution: numbers of another one mean nothing here. */
  readonly epoch: string
  /** About how many characters were emitted so far. */
  readonly emitted: number
  add(event: RunEvent): void
  /** The transient events after this number that follow the recorded event `seq`, as far as they are kept. */
  after(seq: number, number: number): readonly Preview[]
  /** Calls back when there is more. Returns how to stop that. */
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
    // The output of a command may be endless. How it ended is recorded.
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

/** About how many characters an event has as JSON. */
function sizeOf(event: RunEvent): number {
  // There are thousands of these, and all are alike.
  if ('delta' in event) return event.delta.length + 150
  return JSON.stringify(event).length
}

/** In characters. */
const MAX_SIZE = 1 << 20

/** Something to wait for. If it rings while nobody waits, the next one who does need not. */
interface Bell {
  readonly ring: () => void
  rung(): Promise<void>
}

/** Creates a bell for one who waits. Two would take rings from each other, and so would one who stops waiting halfway. */
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
  /** There is another execution, or none any more. */
  changed(): void
  /** The run was deleted. */
  deleted(): void
}

/** The feeds of the runs that this server executes, and those who follow them. */
interface Feeds {
  get(run: string): Feed | undefined
  set(run: string, feed: Feed): void
  /** There is no execution any more. */
  end(run: string): void
  /** The run was deleted. */
  remove(run: string): void
  /** Calls back when something becomes of a run. Returns how to stop that. */
  watch(run: string, listener: FeedListener): () => void
  /** Calls back when there is another event, or another execution. Returns how to stop that. */
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
