import type { Output } from '../hole.ts'
import { isSchema } from '../schema/resolve.ts'
import { asText } from './as-text.ts'
import { printDictionary } from './dictionary.ts'
import { spaced } from './spaced.ts'

/** What a tool returned, text or any JSON value, as holes show it. */
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
