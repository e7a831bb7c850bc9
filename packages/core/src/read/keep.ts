const MAX_KEPT = 64

/** The cached value of a key, made if it is missing. If there are too many, the least recently used one is dropped. */
export function keep<T>(kept: Map<string, T>, key: string, make: () => T): T {
  const found = kept.get(key) ?? make()
  kept.delete(key)
  if (kept.size === MAX_KEPT) kept.delete(kept.keys().next().value!)
  kept.set(key, found)
  return found
}
