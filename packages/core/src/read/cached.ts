const MAX_CACHED = 64

/**
 * The cached value of a key, created if missing. When the cache is full, the least recently used
 * value is dropped.
 */
export function cached<T>(cache: Map<string, T>, key: string, make: () => T): T {
  const known = cache.get(key)
  // The order of use matters only once the cache is full.
  if (known && cache.size < MAX_CACHED) return known
  const found = known ?? make()
  cache.delete(key)
  cache.set(key, found)
  if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value!)
  return found
}

/** The value of a key in a map, created if missing. */
export function kept<Key, Value>(
  map: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = make()))
  return value
}
