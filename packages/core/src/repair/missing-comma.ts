import type { Repair } from './repair.ts'

/** No comma between two members or items. Behind a string only on a new line: else it could be a quote in the string. */
export const missingComma: Repair = {
  name: 'missing-comma',
  cost: 3,
  *fits({ input, json }) {
    if (json.state !== 'after' || (json.afterString && !json.newline)) return false
    return STARTS.has(input.code())
  },
  *mend({ json }) {
    json.comma()
  },
}

/** " { [ */
const STARTS = new Set([34, 123, 91])
