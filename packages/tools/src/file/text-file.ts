// Folder: Files, and the state in which the model last saw them.
import { ToolError } from '@toolglot/agent'
import { decodeText, encodeText, type Encoding, encodingOf } from '../encoding/text.ts'
import { firstUnencodable } from '../encoding/legacy.ts'
import { hasLoneSurrogate } from '../encoding/guess.ts'
import { MAX_WHOLE_BYTES, type LoadedFile } from './load.ts'

/** A file's text, and the encoding for writing it back. */
interface TextFile {
  readonly text: string
  readonly encoding: Encoding
}

/**
 * Decodes a file that will be changed. Throws if encoding the text again would give other bytes.
 */
export function textFileOf({ bytes, facts }: LoadedFile, known?: string): TextFile {
  const { path } = facts
  const encoding = encodingOf(bytes, known)
  if (encoding.mark.length === 0 && isBinary(bytes.subarray(0, 8192))) {
    const type = mediaTypeOf(bytes) ?? 'binary'
    const message = `${path} is not a text file (${type}); only Bash can replace it.`
    throw new ToolError('invalid_input', message, { code: 'binary_file', path, type })
  }
  for (const each of [encoding, encodingOf(bytes)]) {
    const text = decodeText(bytes, each)
    if (text !== undefined) return { text, encoding: each }
  }
  const message = `${path} looks like ${encoding.name}, but decoding and encoding it would change its bytes. Read it with the right encoding first, or change it with Bash.`
  throw new ToolError('invalid_input', message, { code: 'encoding', path, encoding: encoding.name })
}

/** Encodes changed text; throws if its encoding lacks one of the characters, or the result is too large. */
export function bytesOf({ text, encoding }: TextFile, path: string): Uint8Array {
  const bytes = encodeText(text, encoding)
  if (!bytes) {
    const character = firstUnencodable(text, encoding.name)
    const message = `${path} is encoded as ${encoding.name}, which has no ${JSON.stringify(character)}. Use another character, or convert the file with Bash first.`
    throw new ToolError('invalid_input', message, { code: 'not_encodable', path, character })
  }
  if (bytes.length > MAX_WHOLE_BYTES) {
    const message = `${path} would be too large: ${bytes.length} bytes, maximum ${MAX_WHOLE_BYTES}. Write it in parts with Bash.`
    throw new ToolError('invalid_input', message, { code: 'too_large', path, size: bytes.length })
  }
  return bytes
}

/** Throws if text from the model contains half of a surrogate pair, which no encoding can represent. */
export function refuseLoneSurrogates(text: string, name: string): void {
  if (!hasLoneSurrogate(text)) return
  const message = `${name} contains half a character (a lone surrogate), which cannot be written. Send the whole character.`
  throw new ToolError('invalid_input', message, { code: 'lone_surrogate' })
}

/**
 * The media type according to a file's first bytes, regardless of its name; undefined if unknown.
 */
export function mediaTypeOf(bytes: Uint8Array): string | undefined {
  return SIGNATURES.find(({ parts }) =>
    parts.every(([at, signature]) => signature.every((byte, index) => bytes[at + index] === byte)),
  )?.type
}

/**
 * True if bytes are not readable text. Don't call it for text with a byte order mark: UTF-16
 * contains NULs.
 */
export function isBinary(bytes: Uint8Array): boolean {
  let odd = 0
  for (const byte of bytes) {
    if (byte === 0) return true
    // Control characters, except those in terminal output: tab, line breaks, form feed, backspace, escape.
    if ((byte < 0x20 && (byte < 0x08 || byte > 0x0d) && byte !== 0x1b) || byte === 0x7f) odd++
  }
  return odd > bytes.length * 0.3
}

type Part = readonly [at: number, signature: readonly number[]]

function signature(type: string, ...parts: Part[]): { type: string; parts: readonly Part[] } {
  return { type, parts }
}

function letters(text: string): number[] {
  return [...Buffer.from(text, 'latin1')]
}

const SIGNATURES = [
  signature('image/png', [0, letters('\x89PNG\r\n\x1a\n')]),
  signature('image/jpeg', [0, [0xff, 0xd8, 0xff]]),
  signature('image/gif', [0, letters('GIF8')]),
  signature('image/webp', [0, letters('RIFF')], [8, letters('WEBP')]),
  signature('image/bmp', [0, letters('BM')], [6, [0, 0, 0, 0]]),
  signature('image/avif', [4, letters('ftypavif')]),
  signature('application/pdf', [0, letters('%PDF-')]),
  signature('application/zip', [0, letters('PK\x03\x04')]),
  signature('application/gzip', [0, [0x1f, 0x8b]]),
  signature('application/x-executable', [0, letters('\x7fELF')]),
  signature('application/wasm', [0, letters('\0asm')]),
  signature('application/vnd.sqlite3', [0, letters('SQLite format 3\0')]),
  signature('video/mp4', [4, letters('ftyp')]),
  signature('audio/mpeg', [0, letters('ID3')]),
  signature('audio/wav', [0, letters('RIFF')], [8, letters('WAVE')]),
]

/** Converts CRLF to LF: models read and write LF only. */
export function toLf(text: string): string {
  return text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text
}

/** Converts every line break to CRLF. */
export function toCrlf(text: string): string {
  return toLf(text).replaceAll('\n', '\r\n')
}

/** True if more than half of the lines end in CRLF. */
export function usesCrlf(text: string): boolean {
  let all = 0
  let crlf = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    all++
    if (text[at - 1] === '\r') crlf++
  }
  return crlf * 2 > all
}
