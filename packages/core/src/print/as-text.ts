import { spaced } from './spaced.ts'

/** A tool's output as text: a string as it is, anything else as JSON. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : spaced(value)
}
