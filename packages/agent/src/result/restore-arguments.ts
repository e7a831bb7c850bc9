import { restore, type ResultOptions } from '@toolglot/core'

/**
 * Restores arguments that a model copied from results, in which marks are escaped: both values and keys. The options must
 * be the ones that the results were printed with.
 */
export function restoreArguments(
  args: Readonly<Record<string, unknown>>,
  options: ResultOptions,
): Record<string, unknown> {
  return mapTexts(args, (text) =>
    text.includes(JOINER) ? restore(text, options) : text,
  ) as Record<string, unknown>
}

/** The character that escapes marks. */
const JOINER = '\u2060'

/** Maps all texts in a value. Returns the same value if nothing changes. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => mapTexts(item, change))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  const before = Object.entries(value)
  const after = before.map(([key, item]) => [change(key), mapTexts(item, change)] as const)
  const isSame = after.every(([key, item], i) => key === before[i]![0] && item === before[i]![1])
  if (isSame) return value
  // Keys that would collide stay as they are, so that the tool's schema rejects them.
  const keys = new Set(after.map(([key]) => key))
  const kept =
    keys.size === after.length ? after : after.map(([, item], i) => [before[i]![0], item])
  return Object.fromEntries(kept) as unknown
}
