import { TemplateError } from './template-error.ts'

/** Reads a text in quotes at a position, with Python's escapes. */
export function readString(source: string, start: number): { value: string; end: number } {
  const quote = source[start]
  let value = ''
  let from = start + 1
  for (let at = from; at < source.length; at += 1) {
    if (source[at] === quote) return { value: value + source.slice(from, at), end: at + 1 }
    if (source[at] !== '\\') continue
    value += source.slice(from, at)
    const [text, length] = escapeAt(source, at)
    value += text
    from = at + length
    at = from - 1
  }
  throw new TemplateError('a text in quotes is not closed')
}

/** What an escape stands for, and how long it is. An unknown one stands for itself. */
function escapeAt(source: string, at: number): readonly [string, number] {
  const letter = source[at + 1] ?? ''
  const simple = SIMPLE.get(letter)
  if (simple !== undefined) return [simple, 2]
  const digits = HEXADECIMAL.get(letter)
  if (digits !== undefined) {
    const code = source.slice(at + 2, at + 2 + digits)
    const number = Number.parseInt(code, 16)
    if (code.length === digits && /^[\da-f]+$/i.test(code) && number <= 0x10ffff)
      return [String.fromCodePoint(number), 2 + digits]
  }
  const octal = /^[0-7]{1,3}/.exec(source.slice(at + 1, at + 4))?.[0]
  if (octal !== undefined) return [String.fromCharCode(Number.parseInt(octal, 8)), 1 + octal.length]
  return [`\\${letter}`, 2]
}

const SIMPLE: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
  ['a', '\u0007'],
  ["'", "'"],
  ['"', '"'],
  ['\\', '\\'],
  ['\n', ''],
])

const HEXADECIMAL: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
])
