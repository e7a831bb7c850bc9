import type { Output } from '../hole.ts'
import { isSchema } from '../schema/resolve.ts'
import { spaced } from './spaced.ts'
import { writtenKey } from '../read/names.ts'

/** The output of a tool, as text or any JSON value, in the forms that holes print. */
export function outputOf(returned: unknown, failed = false): Output {
  const value = returned ?? null
  const text = (): string => asText(value)
  return {
    failed,
    text,
    json: () => spaced(value),
    sentence: () => ('.!?…。！？'.includes(text().trimEnd().at(-1) ?? ' ') ? text() : `${text()}.`),
    outcome: ({ success, data, error }) =>
      spaced({
        [success]: !failed,
        [data]: failed ? null : value,
        [error]: failed ? value : null,
      }),
    dictionary: (quote) => printDictionary(isSchema(value) ? value : { value }, quote),
  }
}

/** A tool's output as text. Strings are unchanged, other values become JSON. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : spaced(value)
}

/** `{key:value,…}`: keys are unquoted where possible, strings are between two marks. */
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

/** The entries of an object sorted by key, ignoring case. */
export function sorted(value: object): [string, unknown][] {
  const order = (key: string): string => key.toLowerCase()
  return Object.entries(value).sort(([a], [b]) =>
    order(a) < order(b) ? -1 : +(order(a) > order(b)),
  )
}
