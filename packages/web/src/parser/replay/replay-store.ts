import { useSyncExternalStore } from 'react'

/** The position of a replay. It changes often, so components select only the parts they show. */
export interface ReplayState {
  /** Undefined at the end. */
  readonly step: number | undefined
  readonly isPlaying: boolean
}

const END: ReplayState = { step: undefined, isPlaying: false }

export const replayStore: ValueStore<ReplayState> = valueStore(END)

/** Ends the replay and shows the whole text. */
export function endReplay(): void {
  replayStore.change(END)
}

/** A value that outlives the view that shows it. */
interface ValueStore<Value> {
  readonly get: () => Value
  readonly change: (change: Partial<Value>) => void
  /** The selected part of the value, updated when it changes. */
  readonly use: <Selected>(select: (value: Value) => Selected) => Selected
}

/** Creates a store with an initial value. */
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
