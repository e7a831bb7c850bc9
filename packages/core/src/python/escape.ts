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
  const plain = ESCAPES.get(kind)
  const digits = HEX.get(kind)
  if (digits === undefined) {
    const text = input.take(2)
    return plain ?? text
  }
  yield* some(input, 2 + digits)
  const hex = input.peek(2 + digits).slice(2)
  const code = hex.length === digits && IS_HEX.test(hex) ? Number.parseInt(hex, 16) : Infinity
  if (code > 0x10ffff) return input.take(2)
  input.cursor += 2 + digits
  return String.fromCodePoint(code)
}

const ESCAPES = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
  ['a', '\u0007'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['\n', ''],
])

const HEX = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
])

const IS_HEX = /^[0-9a-fA-F]+$/
