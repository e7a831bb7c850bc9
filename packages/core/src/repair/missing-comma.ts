import { some } from '../read/readers.ts'
import type { Repair } from './repair.ts'

/**
 * A comma is missing between two members or items. After a string, only on a new line or before a key: otherwise it could be a
 * quote in the string.
 */
export const missingComma: Repair = {
  name: 'missing-comma',
  cost: 3,
  *fits({ input, json }) {
    if (json.state !== 'after') return false
    if (!json.afterString || json.newline) return STARTS.has(input.code())
    yield* some(input, HORIZON)
    return KEY.test(input.peek(HORIZON))
  },
  *apply({ json }) {
    json.comma()
  },
}

/** " { [ */
const STARTS = new Set([34, 123, 91])
const HORIZON = 64
const KEY = /^"[\w.-]+"\s?:/
