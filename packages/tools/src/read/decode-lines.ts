import { decodeLegacy } from '../encoding/legacy.ts'
import { guessEncoding } from '../encoding/guess.ts'
import { MAX_LINE_CHARACTERS } from '../file/limits.ts'
import type { ScannedLine } from './scan-lines.ts'

/** Lines as text. */
export interface DecodedLines {
  readonly lines: readonly string[]
  readonly encoding: string
  /** Indexes of the lines that were cut. */
  readonly cut: readonly number[]
}

/** Decodes lines and cuts long ones; `known` is their encoding, guessed if missing. */
export function decodeLines(lines: readonly ScannedLine[], known?: string): DecodedLines {
  const whole = lines.map(({ bytes, length }) =>
    length > bytes.length ? withoutPartialCharacter(bytes) : bytes,
  )
  const encoding =
    known ?? guessEncoding(Buffer.concat(whole.flatMap((bytes) => [bytes, LINE_BREAK])))
  const cut: number[] = []
  const texts = whole.map((bytes, index) => {
    const text = withoutReturn(decodeLine(bytes, encoding))
    const { length } = lines[index]!
    if (text.length <= MAX_LINE_CHARACTERS && length === lines[index]!.bytes.length) return text
    cut.push(index)
    return `${beginning(text)}… [line cut: it has ${length} bytes]`
  })
  return { lines: texts, encoding, cut }
}

const LINE_BREAK = Uint8Array.of(0x0a)

function decodeLine(bytes: Uint8Array, encoding: string): string {
  const decoded = encoding === 'utf-8' ? undefined : decodeLegacy(bytes, encoding)
  return decoded ?? Buffer.from(bytes).toString('utf8')
}

/** Drops an incomplete character at the end of cut bytes. */
function withoutPartialCharacter(bytes: Uint8Array): Uint8Array {
  let end = bytes.length
  while (end > bytes.length - 4 && bytes[end - 1]! >= 0x80) end--
  return bytes.subarray(0, end)
}

function beginning(text: string): string {
  const end = text.charCodeAt(MAX_LINE_CHARACTERS - 1)
  return text.slice(
    0,
    end >= 0xd800 && end < 0xdc00 ? MAX_LINE_CHARACTERS - 1 : MAX_LINE_CHARACTERS,
  )
}

function withoutReturn(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text
}
