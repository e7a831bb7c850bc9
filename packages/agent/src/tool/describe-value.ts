/** A value in a few words, for a message. */
export function describeValue(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'string')
    return value.length > LONGEST
      ? `${JSON.stringify(value.slice(0, LONGEST))}… (${value.length} characters)`
      : JSON.stringify(value)
  if (typeof value === 'object') return 'an object'
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : typeof value
}

const LONGEST = 60
