import { ToolError } from '@toolglot/agent'
import { decodeText, encodeText, type Encoding, encodingOf } from '../encoding/text.ts'
import { firstUnencodable } from '../encoding/legacy.ts'
import { hasLoneSurrogate } from '../encoding/utf8.ts'
import { MAX_WHOLE_BYTES } from './limits.ts'
import type { LoadedFile } from './load.ts'
import { isBinary, mediaTypeOf } from './media-type.ts'

/** A file's text and the encoding to write it back in. */
export interface TextFile {
  readonly text: string
  readonly encoding: Encoding
}

/** Decodes a file that will be changed; throws if encoding the text again would not give the same bytes. */
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
