/** A value as Python writes it, with JSON's strings. */
export function pythonic(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(pythonic).join(', ')}]`
  if (typeof value === 'object') {
    const entries = Object.entries(value).map(
      ([key, item]) => `${JSON.stringify(key)}: ${pythonic(item)}`,
    )
    return `{${entries.join(', ')}}`
  }
  return JSON.stringify(value)
}
