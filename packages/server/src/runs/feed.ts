import { randomBytes } from 'node:crypto'
import type { RunEvent } from '@toolglot/agent'

/** A transient event, and its number among those that follow the same recorded event. */
export interface Preview {
  readonly event: RunEvent
  readonly number: number
}

/** What one execution of a run emits. The journal has the recorded events; the transient ones since the last are kept here. */
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
