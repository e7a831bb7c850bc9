import { useSyncExternalStore } from 'react'

/** Values by key that outlive the view that shows them. */
export interface Store<Value> {
  readonly get: (key: string) => Value
  readonly set: (key: string, value: Value) => void
  /** The value of a key; re-renders when it changes. */
  readonly use: (key: string) => Value
}

/** Creates a store. Missing values are created with `make`. */
export function makeStore<Value>(make: (key: string) => Value): Store<Value> {
  const values = new Map<string, Value>()
  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const get = (key: string): Value => {
    let value = values.get(key)
    if (value === undefined) values.set(key, (value = make(key)))
    return value
  }
  return {
    get,
    set(key, value) {
      values.set(key, value)
      for (const listener of listeners) listener()
    },
    use: (key) => useSyncExternalStore(subscribe, () => get(key)),
  }
}
