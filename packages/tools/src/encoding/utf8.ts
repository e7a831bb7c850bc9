/**
 * Decodes UTF-8. Each invalid byte becomes a lone surrogate U+DC80…U+DCFF, which valid text never contains, so
 * `encodeUtf8` restores any bytes.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  const buffer = asBuffer(bytes)
  let text = ''
  let start = 0
  for (let at = 0; at < buffer.length;) {
    const length = sequenceLengthAt(buffer, at)
    if (length > 0) {
      at += length
      continue
    }
    text += buffer.toString('utf8', start, at) + String.fromCharCode(0xdc00 + buffer[at]!)
    start = ++at
  }
  return text + buffer.toString('utf8', start)
}

/** Encodes text that `decodeUtf8` decoded, invalid bytes included. */
export function encodeUtf8(text: string): Uint8Array {
  if (!hasLoneSurrogate(text)) return Buffer.from(text)
  const parts = text.split(/([\udc80-\udcff])/u)
  return Buffer.concat(parts.map((part, odd) => (odd % 2 ? escaped(part) : Buffer.from(part))))
}

/** Whether text contains half of a surrogate pair. */
export function hasLoneSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text)
}

function escaped(part: string): Buffer {
  return Buffer.of(part.charCodeAt(0) - 0xdc00)
}

/** Number of bytes of the character at a position; 0 if it is invalid. */
export function sequenceLengthAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!
  if (first < 0x80) return 1
  if (first < 0xc2 || first > 0xf4) return 0
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  const second = bytes[at + 1] ?? 0
  // No overlong forms, no surrogates, nothing beyond U+10FFFF.
  const min = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80
  const max = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf
  if (second < min || second > max) return 0
  for (let index = 2; index < length; index++)
    if (((bytes[at + index] ?? 0) & 0xc0) !== 0x80) return 0
  return length
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
