import type { RunEvent } from '@toolglot/agent'
import { follow, type Journal } from '@toolglot/agent/journal'
import { createBell, type Feed, type FeedListener } from './feed.ts'
import { type EventPosition, printPosition, START } from '../anywhere/event-stream.ts'

/** An event of a run, with its id: the position of a client that has read it. */
export interface IdentifiedEvent {
  readonly id: string
  readonly event: RunEvent
}

/** Selects the events of a run to read. */
export interface RunEventsOptions {
  /** The last event read. Default: none. */
  readonly after?: EventPosition | undefined
  /** Keeps waiting for events after the run has ended. Default: false. */
  readonly keepOpen?: boolean | undefined
  /**
   * The events of this server's current execution of the run; undefined if it isn't executing the
   * run.
   */
  readonly feed: () => Feed | undefined
  /** Calls the listener when the run's state changes. Returns a function that unsubscribes. */
  readonly onFeed: (listener: FeedListener) => () => void
  /** Ends the events. Deleting the run also aborts it. */
  readonly stop: AbortController
}

/**
 * Yields the events of a run: every recorded event once and in order, whichever process executes
 * the run, each followed by the transient events of this server's execution.
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
  // Every possible change rings the bell, and only this loop waits, so no ring is lost.
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

/** A promise with its state, and a callback for when it settles. */
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
