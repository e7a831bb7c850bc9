import { unlessAborted } from '@toolglot/agent/internal'

/** A cache of values that are created on demand and kept for a limited time. */
interface Cache<Value> {
  /**
   * The value of a key. Simultaneous callers share one attempt, which aborting does not stop;
   * failed attempts are not cached.
   */
  get(
    key: string,
    make: () => Promise<{ readonly value: Value; readonly lifetime: number }>,
    signal: AbortSignal,
  ): Promise<Value>
}

/** Creates a cache with a maximum number of values. Lifetimes are in milliseconds. */
export function createCache<Value>(
  maxSize: number,
  now: () => number = () => performance.now(),
): Cache<Value> {
  const entries = new Map<string, { readonly value: Promise<Value>; expires: number }>()
  return {
    get(key, make, signal) {
      const before = entries.get(key)
      if (before && before.expires > now()) return unlessAborted(signal, before.value)
      const made = make()
      const entry = { value: made.then(({ value }) => value), expires: Infinity }
      // Deleted first, so that the new entry becomes the most recent.
      entries.delete(key)
      entries.set(key, entry)
      made.then(
        ({ lifetime }) => (entry.expires = now() + lifetime),
        () => {
          if (entries.get(key) === entry) entries.delete(key)
        },
      )
      const [oldest] = entries.keys()
      if (entries.size > maxSize && oldest !== undefined) entries.delete(oldest)
      return unlessAborted(signal, entry.value)
    },
  }
}
