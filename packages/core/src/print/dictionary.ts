import { writtenKey } from '../read/written-key.ts'

/** `{key:value,…}`: keys without quotes where possible, strings between two marks. */
export function printDictionary(value: unknown, quote: string): string {
  if (typeof value === 'string') return quote + value + quote
  if (Array.isArray(value))
    return `[${value.map((item) => printDictionary(item, quote)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = sorted(value).map(([key, item]) => {
    const plain = /^[^\s:=,{}[\]<>"'「」]+$/.test(key)
    return `${plain ? key : quote + writtenKey(key, quote) + quote}:${printDictionary(item, quote)}`
  })
  return `{${entries.join(',')}}`
}

/** The entries of an object, sorted by key, ignoring case. */
export function sorted(value: object): [string, unknown][] {
  const order = (key: string): string => key.toLowerCase()
  return Object.entries(value).sort(([a], [b]) =>
    order(a) < order(b) ? -1 : +(order(a) > order(b)),
  )
}
