import { ToolError } from '@toolglot/agent'
import { decode, encode, type Encoding, encodingOf } from '../encoding/text.ts'
import { missingIn } from '../encoding/legacy.ts'
import { isBroken } from '../encoding/utf8.ts'
import { MAX_BYTES } from './limits.ts'
import type { Loaded } from './load.ts'
import { isBinary, mediaTypeOf } from './media-type.ts'

export interface TextFile {
  readonly text: string
  readonly encoding: Encoding
}

/** The text of a file that is to be changed; refused if it could not be written back to the byte. */
export function textFileOf({ bytes, facts }: Loaded, known?: string): TextFile {
  const { path } = facts
  const encoding = encodingOf(bytes, known)
  if (encoding.mark.length === 0 && isBinary(bytes.subarray(0, 8192))) {
    const type = mediaTypeOf(bytes) ?? 'binary'
    const message = `${path} is not text (${type}); it can be replaced with Bash only.`
    throw new ToolError('invalid_input', message, { code: 'binary_file', path, type })
  }
  for (const each of [encoding, encodingOf(bytes)]) {
    const text = decode(bytes, each)
    if (text !== undefined) return { text, encoding: each }
  }
  const message = `${path} looks like ${encoding.name}, but could not be written back to the byte. Read it with the right encoding first, or change it with Bash.`
  throw new ToolError('invalid_input', message, { code: 'encoding', path, encoding: encoding.name })
}

/** The bytes of a changed text; refused if its encoding does not have its characters. */
export function bytesOf({ text, encoding }: TextFile, path: string): Uint8Array {
  const bytes = encode(text, encoding)
  if (!bytes) {
    const character = missingIn(text, encoding.name)
    const message = `${path} is ${encoding.name}, which has no ${JSON.stringify(character)}. Write it otherwise, or convert the file with Bash first.`
    throw new ToolError('invalid_input', message, { code: 'not_encodable', path, character })
  }
  if (bytes.length > MAX_BYTES) {
    const message = `${path} would have ${bytes.length} bytes; at most ${MAX_BYTES} are written. Write it in parts with Bash.`
    throw new ToolError('invalid_input', message, { code: 'too_large', path, size: bytes.length })
  }
  return bytes
}

/** Text of the model's own, which half a character cannot be part of. */
export function mustBeWhole(text: string, name: string): void {
  if (!isBroken(text)) return
  const message = `${name} has half a character in it (a lone surrogate), which cannot be written. Write the whole character.`
  throw new ToolError('invalid_input', message, { code: 'lone_surrogate' })
}
