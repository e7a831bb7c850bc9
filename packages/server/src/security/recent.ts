/** Looks something up, unless it was found within the last second: what is removed elsewhere counts no longer than that. */
export type Recent<Value> = (
  key: string,
  find: () => Promise<Value | undefined>,
) => Promise<Value | undefined>

/** Remembers what was found for a second, so that not every request asks the database. What was not found is looked up again. */
export function createRecent<Value>(now: () => number = () => performance.now()): Recent<Value> {
  const found = new Map<string, { readonly value: Value; readonly until: number }>()
  return async (key, find) => {
    const known = found.get(key)
    if (known && now() < known.until) return known.value
    found.delete(key)
    const until = now() + SECOND
    const value = await find()
    if (value === undefined) return undefined
    // The oldest comes first.
    for (const [other, { until: end }] of found) {
      if (end > now() && found.size < MAX_FOUND) break
      found.delete(other)
    }
    found.set(key, { value, until })
    return value
  }
}

const SECOND = 1000
const MAX_FOUND = 1000
