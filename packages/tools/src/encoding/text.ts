import { markOf } from './byte-order-mark.ts'
import { guessEncoding } from './guess.ts'
import { decodeLegacy, encodeLegacy } from './legacy.ts'
import { decodeUtf32, encodeUtf32 } from './utf32.ts'
import { decodeUtf8, encodeUtf8 } from './utf8.ts'

/** How the text of a file is written as bytes. */
export interface Encoding {
  readonly name: string
  /** Whether it begins with a mark, which is no part of the text. */
  readonly mark: readonly number[]
}

export const plainUtf8: Encoding = { name: 'utf-8', mark: [] }

/** How some bytes are most likely encoded; as `known`, if that was said and no mark says otherwise. */
export function encodingOf(bytes: Uint8Array, known?: string): Encoding {
  const mark = markOf(bytes)
  if (mark) return { name: mark.encoding, mark: mark.bytes }
  return { name: known ?? guessEncoding(bytes), mark: [] }
}

/** The text of some bytes; undefined if it could not be written back as it was. */
export function decode(bytes: Uint8Array, { name, mark }: Encoding): string | undefined {
  const rest = bytes.subarray(mark.length)
  if (name === 'utf-8') return decodeUtf8(rest)
  const text = decodeAs(rest, name)
  if (text === undefined) return undefined
  const again = encodeAs(text, name)
  return again && Buffer.compare(again, rest) === 0 ? text : undefined
}

/** The bytes of a text; undefined if the encoding does not have all of its characters. */
export function encode(text: string, { name, mark }: Encoding): Uint8Array | undefined {
  const bytes = encodeAs(text, name)
  return bytes && Buffer.concat([Uint8Array.from(mark), bytes])
}

function decodeAs(bytes: Uint8Array, name: string): string | undefined {
  const buffer = Buffer.from(bytes)
  switch (name) {
    case 'utf-16le':
      return buffer.length % 2 === 0 ? buffer.toString('utf16le') : undefined
    case 'utf-16be':
      return buffer.length % 2 === 0 ? buffer.swap16().toString('utf16le') : undefined
    case 'utf-32le':
    case 'utf-32be':
      return decodeUtf32(bytes, name === 'utf-32le')
    default:
      return decodeLegacy(bytes, name)
  }
}

function encodeAs(text: string, name: string): Uint8Array | undefined {
  switch (name) {
    case 'utf-8':
      return encodeUtf8(text)
    case 'utf-16le':
      return Buffer.from(text, 'utf16le')
    case 'utf-16be':
      return Buffer.from(text, 'utf16le').swap16()
    case 'utf-32le':
    case 'utf-32be':
      return encodeUtf32(text, name === 'utf-32le')
    default:
      return encodeLegacy(text, name)
  }
}
