/** Values that are made when they are asked for, and kept for some time. */
export interface Cache<Value> {
  /** The value of a key. Whoever asks at the same time shares one attempt; a failed one is forgotten. */
  get(
    key: string,
    make: () => Promise<{ readonly value: Value; readonly lifetime: number }>,
    signal: AbortSignal,
  ): Promise<Value>
}

/** Creates a cache of at most so many values. Lifetimes are in milliseconds. */
export function createCache<Value>(
  maxSize: number,
  now: () => number = () => performance.now(),
): Cache<Value> {
  const entries = new Map<string, { readonly value: Promise<Value>; expires: number }>()
  return {
    get(key, make, signal) {
      const before = entries.get(key)
      if (before && before.expires > now()) return unlessAborted(before.value, signal)
      const made = make()
      const entry = { value: made.then(({ value }) => value), expires: Infinity }
      // Deleted first, so that the new entry is the youngest.
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
      return unlessAborted(entry.value, signal)
    },
  }
}

/** Waits for work that others wait for too: aborting only ends the waiting. */
async function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let stop = (): void => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  })
  try {
    return await Promise.race([aborted, work])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
