import { guessEncoding, decodeUtf8, encodeUtf8 } from './guess.ts'
import { decodeLegacy, encodeLegacy } from './legacy.ts'

/** The encoding of a file's text. */
export interface Encoding {
  readonly name: string
  /** The bytes of the byte order mark, which is not part of the text; empty if there is none. */
  readonly mark: readonly number[]
}

/** UTF-8 without a byte order mark. */
export const plainUtf8: Encoding = { name: 'utf-8', mark: [] }

/** The encoding of some bytes: from their byte order mark, else `known`, else guessed. */
export function encodingOf(bytes: Uint8Array, known?: string): Encoding {
  const mark = byteOrderMarkOf(bytes)
  if (mark) return { name: mark.encoding, mark: mark.bytes }
  return { name: known ?? guessEncoding(bytes), mark: [] }
}

/** Decodes bytes; undefined if encoding the text again would not give the same bytes. */
export function decodeText(bytes: Uint8Array, { name, mark }: Encoding): string | undefined {
  const rest = bytes.subarray(mark.length)
  if (name === 'utf-8') return decodeUtf8(rest)
  const text = decodeAs(rest, name)
  if (text === undefined) return undefined
  const again = encodeAs(text, name)
  return again && Buffer.compare(again, rest) === 0 ? text : undefined
}

/** Encodes text, with its byte order mark; undefined if the encoding lacks one of its characters. */
export function encodeText(text: string, { name, mark }: Encoding): Uint8Array | undefined {
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

/** Undefined if the bytes are not valid UTF-32. */
function decodeUtf32(bytes: Uint8Array, little: boolean): string | undefined {
  if (bytes.length % 4 !== 0) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += 4) {
    const point = view.getUint32(at, little)
    if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return undefined
    parts.push(String.fromCodePoint(point))
  }
  return parts.join('')
}

function encodeUtf32(text: string, little: boolean): Uint8Array {
  const points = Array.from(text, (character) => character.codePointAt(0)!)
  const bytes = new Uint8Array(points.length * 4)
  const view = new DataView(bytes.buffer)
  for (const [index, point] of points.entries()) view.setUint32(index * 4, point, little)
  return bytes
}

/** The bytes at the start of a file that identify its encoding. */
interface ByteOrderMark {
  readonly encoding: string
  readonly bytes: readonly number[]
}

/** Longer marks come first, because UTF-32LE's mark starts with UTF-16LE's. */
const MARKS: readonly ByteOrderMark[] = [
  { encoding: 'utf-32le', bytes: [0xff, 0xfe, 0, 0] },
  { encoding: 'utf-32be', bytes: [0, 0, 0xfe, 0xff] },
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
]

/** The byte order mark at the start of some bytes; undefined if there is none. */
export function byteOrderMarkOf(bytes: Uint8Array): ByteOrderMark | undefined {
  return MARKS.find((mark) => mark.bytes.every((byte, index) => bytes[index] === byte))
}
