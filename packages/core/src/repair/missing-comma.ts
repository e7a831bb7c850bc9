import type { Repair } from './repair.ts'

/** Members or items on lines of their own, with no comma between. On one line it could be a quote in a string. */
export const missingComma: Repair = {
  name: 'missing-comma',
  cost: 3,
  *fits({ input, json }) {
    return json.state === 'after' && json.newline && STARTS.has(input.code())
  },
  *mend({ json }) {
    json.comma()
  },
}

/** " { [ */
const STARTS = new Set([34, 123, 91])
