import { asText } from '../print/output.ts'

/** The literal words of Python and JSON, as JSON. */
export const WORDS: ReadonlyMap<string, string> = new Map([
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
  ['true', 'true'],
  ['false', 'false'],
  ['null', 'null'],
])

/** A value as a Python literal. Default: strings as in JSON. */
export function pythonic(
  value: unknown,
  quoted: (text: string) => string = JSON.stringify,
): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item) => pythonic(item, quoted)).join(', ')}]`
  const entries = Object.entries(value).map(
    ([key, item]) => `${quoted(key)}: ${pythonic(item, quoted)}`,
  )
  return `{${entries.join(', ')}}`
}

/** Strings unchanged; true, false and null as in Python; other values as JSON. */
export function pythonWords(value: unknown): string {
  return typeof value === 'boolean' || value === null ? pythonic(value) : asText(value)
}

/** A value in the format of Python's `repr`. */
export function repr(value: unknown): string {
  return pythonic(value, reprString)
}

/**
 * A string in single quotes, or in double quotes if it contains single quotes but no double ones.
 */
function reprString(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const written = text.replace(/[\\\p{C}\p{Z}]/gu, escaped)
  return quote + (quote === "'" ? written.replaceAll("'", "\\'") : written) + quote
}

function escaped(char: string): string {
  const known = ESCAPED.get(char)
  if (known) return known
  const code = char.codePointAt(0)!
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`
  const long = code > 0xffff
  return `\\${long ? 'U' : 'u'}${code.toString(16).padStart(long ? 8 : 4, '0')}`
}

const ESCAPED = new Map([
  [' ', ' '],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
])
