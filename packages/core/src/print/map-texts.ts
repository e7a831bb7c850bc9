/**
 * Changes all texts in a value, including keys. Returns the same value if nothing changes. If two keys of an object would
 * become the same, or one of those `taken`, all its keys stay as they are, so that the tool's schema rejects them.
 */
export function mapTexts(
  value: unknown,
  change: (text: string) => string,
  taken: ReadonlySet<string> = new Set(),
): unknown {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => mapTexts(item, change))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  const before = Object.entries(value)
  const after = before.map(([key, item]) => [change(key), mapTexts(item, change)] as const)
  const isNew = (key: string, i: number): boolean => key !== before[i]![0]
  if (!after.some(([key, item], i) => isNew(key, i) || item !== before[i]![1])) return value
  const collide =
    new Set(after.map(([key]) => key)).size < after.length ||
    after.some(([key], i) => isNew(key, i) && taken.has(key))
  const kept = collide ? after.map(([, item], i) => [before[i]![0], item]) : after
  return Object.fromEntries(kept) as unknown
}
