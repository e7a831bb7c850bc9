const MAX_CACHED = 64

/** The cached value of a key, made if it is missing. If there are too many, the least recently used one is dropped. */
export function cached<T>(cache: Map<string, T>, key: string, make: () => T): T {
  const known = cache.get(key)
  // Their order matters only once one has to be dropped.
  if (known !== undefined && cache.size < MAX_CACHED) return known
  const found = known ?? make()
  cache.delete(key)
  if (cache.size === MAX_CACHED) cache.delete(cache.keys().next().value!)
  cache.set(key, found)
  return found
}
