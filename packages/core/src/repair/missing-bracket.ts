import { eat, some } from '../read/readers.ts'
import type { Repair } from './repair.ts'

/** `{"a": {"b": 1}</tool_call>`: all values are whole, and the call's closing mark stands where brackets should. */
export const missingBracket: Repair = {
  name: 'missing-bracket',
  cost: 2,
  *fits({ input, json, closing }) {
    if (json.state !== 'after' || closing === undefined) return false
    input.hold()
    // With more behind it on the line, the mark stands in a string whose quote is wrong.
    const closed =
      (yield* eat(input, closing)) && (!(yield* some(input)) || FOLLOWS.has(input.code()))
    input.back()
    return closed
  },
  *apply({ json }) {
    json.closeAll()
  },
}

/** A line's end, < and [ */
const FOLLOWS = new Set([10, 13, 60, 91])
