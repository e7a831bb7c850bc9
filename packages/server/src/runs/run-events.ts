import type { RunEvent } from '@toolglot/agent'
import { follow, type Journal } from '@toolglot/agent/journal'
import { createBell, type Feed, type FeedListener } from './feed.ts'
import { type EventPosition, printPosition, START } from '../anywhere/event-stream.ts'

/** An event of a run with its id: where a client is that has read it. */
export interface IdentifiedEvent {
  readonly id: string
  readonly event: RunEvent
}

/** Which events of a run are read. */
export interface RunEventsOptions {
  /** The last event that was read. Default: none. */
  readonly after?: EventPosition | undefined
  /** Whether to wait for more after the run has ended. Default: no. */
  readonly keepOpen?: boolean | undefined
  /** The events of this server's current execution of the run; undefined if there is none. */
  readonly feed: () => Feed | undefined
  /** Calls back when something becomes of the run. Returns how to stop that. */
  readonly onFeed: (listener: FeedListener) => () => void
  /** Ends it. Deleting the run also aborts it. */
  readonly stop: AbortController
}

/**
 * Yields the events of a run: every recorded one once and in order, whichever process executes the run, and after each the
 * transient ones that this server's execution of it emits.
 */
export async function* runEvents(
  journal: Pick<Journal, 'read' | 'changed'>,
  run: string,
  { after = START, keepOpen = false, feed, onFeed, stop }: RunEventsOptions,
): AsyncGenerator<IdentifiedEvent, void> {
  const { signal } = stop
  const recorded = follow(journal, run, { after: after.seq, signal, beyondEnd: keepOpen })
  let { seq } = after
  let { number = -1, epoch = '' } = after.preview ?? {}
  // Everything that can happen rings it, and only this loop waits, so no ring is lost.
  const bell = createBell()
  let next = settled(recorded.next(), bell.ring)
  let watched: Feed | undefined
  let unwatch: (() => void) | undefined
  const forget = onFeed({ changed: bell.ring, deleted: () => stop.abort() })
  try {
    for (;;) {
      if (signal.aborted) return
      const current = feed()
      if (current !== watched) {
        unwatch?.()
        watched = current
        unwatch = current?.onAdd(bell.ring)
      }
      if (current && current.epoch !== epoch) {
        epoch = current.epoch
        number = -1
      }
      for (const preview of current?.after(seq, number) ?? []) {
        number = preview.number
        yield { id: printPosition({ seq, preview: { number, epoch } }), event: preview.event }
      }
      if (!next.isSettled) {
        await bell.rung()
        continue
      }
      const step = await next.promise
      if (step.done) return
      const event = step.value
      seq = event.seq
      number = -1
      yield { id: printPosition({ seq }), event }
      next = settled(recorded.next(), bell.ring)
    }
  } finally {
    unwatch?.()
    forget()
    await recorded.return()
  }
}

interface Settled<Value> {
  readonly promise: Promise<Value>
  readonly isSettled: boolean
}

/** A promise with its state, and a callback for when it is settled. */
function settled<Value>(promise: Promise<Value>, onSettled: () => void): Settled<Value> {
  let isSettled = false
  const settle = (): void => {
    isSettled = true
    onSettled()
  }
  promise.then(settle, settle)
  return {
    promise,
    get isSettled() {
      return isSettled
    },
  }
}
