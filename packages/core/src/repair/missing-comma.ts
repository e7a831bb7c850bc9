import type { Input, Reader } from '../read/input.ts'
import { readLabel } from '../read/label.ts'
import { Marks } from '../read/marks.ts'
import { space } from '../read/readers.ts'
import type { Repair } from './repair.ts'

/** No comma between two members or items. Behind a string only on a new line or before a key: else it could be a quote in the string. */
export const missingComma: Repair = {
  name: 'missing-comma',
  cost: 3,
  *fits({ input, json }) {
    if (json.state !== 'after') return false
    if (json.afterString && !json.newline) return yield* keyAhead(input)
    return STARTS.has(input.code())
  },
  *mend({ json }) {
    json.comma()
  },
}

/** `"b":`, and nothing odd in it. */
function* keyAhead(input: Input): Reader<boolean> {
  if (input.code() !== 34) return false
  input.hold()
  input.cursor++
  const key = yield* readLabel(input, QUOTE, (label) => /^[\w.-]*$/.test(label))
  input.cursor++
  if (key) yield* space(input)
  const colon = key !== undefined && key !== '' && input.code() === 58
  input.back()
  return colon
}

const QUOTE = new Marks(['"'])
/** " { [ */
const STARTS = new Set([34, 123, 91])
