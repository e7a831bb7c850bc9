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
  const notes: string[] = []
  let count = 0
  let pending: object[] | undefined
  const look = (inner: unknown): void => {
    if (typeof inner === 'object' && inner !== null) (pending ??= []).push(inner)
    else if (isOutOfRange(inner) && notes.length === 0) notes.push('number-out-of-range')
  }
  for (let value: object | undefined = args; value; value = pending?.pop()) {
    if (Array.isArray(value)) value.forEach(look)
    else
      for (const key of Object.keys(value)) {
        count++
        const named = value === args && parameters
        if (isUnsafe(key) && !(named && declares(parameters, key))) return undefined
        look((value as Record<string, unknown>)[key])
      }
  }
  if (count < keys) notes.push('duplicate-key')
  return notes
}

function isOutOfRange(value: unknown): boolean {
  if (typeof value !== 'number') return false
  return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))
}
