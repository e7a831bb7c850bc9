import { decodeLegacy } from '../encoding/legacy.ts'
import { guessEncoding } from '../encoding/guess.ts'
import { LINE_CHARACTERS } from '../file/limits.ts'
import type { Line } from './scan-lines.ts'

export interface ShownLines {
  readonly lines: readonly string[]
  readonly encoding: string
  /** The numbers of the lines that were cut, from 0. */
  readonly cut: readonly number[]
}

/** Lines as text; `known` is their encoding, where it was told. */
export function showLines(lines: readonly Line[], known?: string): ShownLines {
  const whole = lines.map(({ bytes, length }) =>
    length > bytes.length ? atCharacter(bytes) : bytes,
  )
  const encoding = known ?? guessEncoding(Buffer.concat(whole.flatMap((bytes) => [bytes, BREAK])))
  const cut: number[] = []
  const texts = whole.map((bytes, index) => {
    const text = withoutReturn(textOf(bytes, encoding))
    const { length } = lines[index]!
    if (text.length <= LINE_CHARACTERS && length === lines[index]!.bytes.length) return text
    cut.push(index)
    return `${beginning(text)}… [cut: the line has ${length} bytes]`
  })
  return { lines: texts, encoding, cut }
}

const BREAK = Uint8Array.of(0x0a)

function textOf(bytes: Uint8Array, encoding: string): string {
  const decoded = encoding === 'utf-8' ? undefined : decodeLegacy(bytes, encoding)
  return decoded ?? Buffer.from(bytes).toString('utf8')
}

/** Bytes that were cut somewhere, without the half character at their end. */
function atCharacter(bytes: Uint8Array): Uint8Array {
  let end = bytes.length
  while (end > bytes.length - 4 && bytes[end - 1]! >= 0x80) end--
  return bytes.subarray(0, end)
}

function beginning(text: string): string {
  const end = text.charCodeAt(LINE_CHARACTERS - 1)
  return text.slice(0, end >= 0xd800 && end < 0xdc00 ? LINE_CHARACTERS - 1 : LINE_CHARACTERS)
}

function withoutReturn(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text
}
