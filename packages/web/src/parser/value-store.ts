import { useSyncExternalStore } from 'react'

/** A value that outlives the view which shows it. */
export interface ValueStore<Value> {
  readonly get: () => Value
  readonly change: (change: Partial<Value>) => void
  /** What `select` takes of the value, whenever that changes. */
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
