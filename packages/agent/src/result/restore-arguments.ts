import { restore, type ResultOptions } from '@toolglot/core'

/**
 * Arguments as the model means them: what it copied out of results, where marks are made inert, is what stood there.
 * Keys are texts too. The options are those that the results were printed with, and the protocol that they were printed for.
 */
export function restoreArguments(
  args: Readonly<Record<string, unknown>>,
  options: ResultOptions,
): Record<string, unknown> {
  return throughout(args, (text) =>
    text.includes(JOINER) ? restore(text, options) : text,
  ) as Record<string, unknown>
}

/** What makes marks inert. */
const JOINER = '\u2060'

/** The value itself where nothing changes. */
function throughout(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => throughout(item, change))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  const before = Object.entries(value)
  const after = before.map(([key, item]) => [change(key), throughout(item, change)] as const)
  const isSame = after.every(([key, item], i) => key === before[i]![0] && item === before[i]![1])
  if (isSame) return value
  // Two keys that become one are left as they are, for the tool's schema to refuse.
  const keys = new Set(after.map(([key]) => key))
  const kept =
    keys.size === after.length ? after : after.map(([, item], i) => [before[i]![0], item])
  return Object.fromEntries(kept) as unknown
}
