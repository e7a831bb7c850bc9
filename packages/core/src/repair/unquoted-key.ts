import { LONGEST_LABEL } from '../read/label.ts'
import type { Reader } from '../read/input.ts'
import type { Repair, Stop } from './repair.ts'

/** `{name: "x"}` */
export const unquotedKey: Repair = {
  name: 'unquoted-key',
  cost: 2,
  *fits(stop) {
    return (yield* label(stop)) > 0
  },
  *mend(stop) {
    const length = yield* label(stop)
    stop.json.nameKey(stop.input.take(length))
  },
}

/** How long the bare key here is; 0: there is none, or no colon follows. */
function* label({ input, json }: Stop): Reader<number> {
  if (json.state !== 'key' && json.state !== 'first-key') return 0
  let length = 0
  const step = (): boolean => {
    while (length < LONGEST_LABEL && isLabel(input.code(length))) length++
    return input.length > length || length === LONGEST_LABEL || input.ended
  }
  if (!step()) yield step
  let after = length
  const skip = (): boolean => {
    while (after < length + LONGEST_LABEL && input.code(after) === 32) after++
    return input.length > after || input.ended
  }
  if (!skip()) yield skip
  return input.code(after) === 58 ? length : 0
}

function isLabel(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 36 ||
    code === 45 ||
    code > 127
  )
}
