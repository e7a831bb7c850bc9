import { useSyncExternalStore } from 'react'

/** Where a replay stands. It changes often: only what shows it looks at it. */
export interface ReplayState {
  /** Undefined at the end. */
  readonly step: number | undefined
  readonly isPlaying: boolean
}

const END: ReplayState = { step: undefined, isPlaying: false }

export const replayStore: ValueStore<ReplayState> = valueStore(END)

/** Stops it, and shows all of the text. */
export function endReplay(): void {
  replayStore.change(END)
}

/** A value that outlives the view which shows it. */
interface ValueStore<Value> {
  readonly get: () => Value
  readonly change: (change: Partial<Value>) => void
  /** The selected part of the value, updated when it changes. */
  readonly use: <Selected>(select: (value: Value) => Selected) => Selected
}

/** Creates a store that begins with this value. */
export function valueStore<Value extends object>(first: Value): ValueStore<Value> {
  let value = first
  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  return {
    get: () => value,
    change(change) {
      value = { ...value, ...change }
      for (const listener of listeners) listener()
    },
    use: (select) => useSyncExternalStore(subscribe, () => select(value)),
  }
}
