import type { Schema } from '../protocol.ts'
import { declares, isUnsafe } from '../schema/property.ts'

/**
 * What is unusual about well-formed arguments. It is only recorded; whoever runs the call may refuse it.
 * `keys` is how many keys were written: if the value has fewer, some were written twice.
 * Undefined: one of the keys is unsafe.
 */
export function inspect(
  args: Record<string, unknown>,
  keys = 0,
  parameters?: Schema,
): string[] | undefined {
  const notes = new Set<string>()
  let count = 0
  const pending: unknown[] = [args]
  while (pending.length > 0) {
    const value = pending.pop()
    if (typeof value === 'number') {
      if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
        notes.add('number-out-of-range')
      }
    } else if (Array.isArray(value)) for (const item of value) pending.push(item)
    else if (typeof value === 'object' && value !== null) {
      for (const key of Object.keys(value)) {
        count++
        const named = value === args && parameters && declares(parameters, key)
        if (isUnsafe(key) && !named) return undefined
        pending.push((value as Record<string, unknown>)[key])
      }
    }
  }
  if (count < keys) notes.add('duplicate-key')
  return [...notes]
}
