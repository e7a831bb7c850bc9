import type { Input, Reader } from '../read/input.ts'
import { some } from '../read/readers.ts'

/** Reads a backslash and what follows it. An escape that is unknown to Python stands for itself. */
export function* readEscape(input: Input): Reader<string | undefined> {
  if (!(yield* some(input, 2))) return undefined
  const kind = input.peek(2)[1]!
  if (kind >= '0' && kind <= '7') {
    yield* some(input, 4)
    const octal = /^[0-7]{1,3}/.exec(input.peek(4).slice(1))![0]
    input.cursor += 1 + octal.length
    return String.fromCharCode(Number.parseInt(octal, 8))
  }
  const digits = [2, 4, 8]['xuU'.indexOf(kind)]
  if (digits === undefined) {
    const text = input.take(2)
    const at = KINDS.indexOf(kind)
    return at < 0 ? text : MEANINGS.charAt(at)
  }
  yield* some(input, 2 + digits)
  const hex = input.peek(2 + digits).slice(2)
  const code = hex.length === digits && IS_HEX.test(hex) ? Number.parseInt(hex, 16) : Infinity
  if (code > 0x10ffff) return input.take(2)
  input.cursor += 2 + digits
  return String.fromCodePoint(code)
}

/** What may follow a backslash, and what it means then; a line break means nothing. */
const KINDS = 'ntrbfva\\\'"\n'
const MEANINGS = '\n\t\r\b\f\v\u0007\\\'"'

const IS_HEX = /^[0-9a-fA-F]+$/
