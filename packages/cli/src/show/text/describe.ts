import { quote } from '@toolglot/workspace/internal'

/** Describes a value for the `got …` of an error message. */
export function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (typeof value === 'object') return `an object with ${keysOf(value)}`
  if (typeof value === 'string') return value === '' ? 'empty text' : `the text ${quote(value)}`
  return `the ${typeof value} ${JSON.stringify(value)}`
}

function keysOf(value: object): string {
  const keys = Object.keys(value)
  if (keys.length === 0) return 'no keys'
  const shown = keys.slice(0, 4).map(quote)
  return `the keys ${shown.join(', ')}${keys.length > 4 ? ', …' : ''}`
}
