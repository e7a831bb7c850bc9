/** Describes a value briefly, for a message. */
export function describeValue(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'string')
    return value.length > MAX_TEXT
      ? `${JSON.stringify(value.slice(0, MAX_TEXT))}… (${value.length} characters)`
      : JSON.stringify(value)
  if (typeof value === 'object') return 'an object'
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : typeof value
}

const MAX_TEXT = 60
