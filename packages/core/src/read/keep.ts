const MAX_KEPT = 64

/** What was made under a key, made if it is not there. Of too many, the one that was asked for longest ago goes first. */
export function keep<T>(kept: Map<string, T>, key: string, make: () => T): T {
  const found = kept.get(key) ?? make()
  kept.delete(key)
  if (kept.size === MAX_KEPT) kept.delete(kept.keys().next().value!)
  kept.set(key, found)
  return found
}
