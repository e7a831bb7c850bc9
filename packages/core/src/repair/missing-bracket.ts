import { eat, some } from '../read/readers.ts'
import type { Repair } from './repair.ts'

/** `{"a": {"b": 1}</tool_call>`: all values are whole, and the call's closing mark is where brackets should be. */
export const missingBracket: Repair = {
  name: 'missing-bracket',
  cost: 2,
  *fits({ input, json, closing }) {
    if (json.state !== 'after' || closing === undefined) return false
    input.hold()
    // If more follows on the line, the mark is in a string whose quote is wrong.
    const closed =
      (yield* eat(input, closing)) && (!(yield* some(input)) || FOLLOWS.has(input.code()))
    input.back()
    return closed
  },
  *apply({ json }) {
    return json.closeAll()
  },
}

/** A line break, < or [ */
const FOLLOWS = new Set([10, 13, 60, 91])
