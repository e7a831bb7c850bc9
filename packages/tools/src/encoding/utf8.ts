/**
 * UTF-8, with a way for bytes that are none: each is a lone surrogate U+DC80…U+DCFF, which no valid text holds. So any
 * bytes come back as they were.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  const buffer = asBuffer(bytes)
  let text = ''
  let start = 0
  for (let at = 0; at < buffer.length;) {
    const length = sequenceAt(buffer, at)
    if (length > 0) {
      at += length
      continue
    }
    text += buffer.toString('utf8', start, at) + String.fromCharCode(0xdc00 + buffer[at]!)
    start = ++at
  }
  return text + buffer.toString('utf8', start)
}

export function encodeUtf8(text: string): Uint8Array {
  if (!isBroken(text)) return Buffer.from(text)
  const parts = text.split(/([\udc80-\udcff])/u)
  return Buffer.concat(parts.map((part, odd) => (odd % 2 ? escaped(part) : Buffer.from(part))))
}

/** Whether text has half a character: nothing can be written for it. */
export function isBroken(text: string): boolean {
  return /\p{Surrogate}/u.test(text)
}

function escaped(part: string): Buffer {
  return Buffer.of(part.charCodeAt(0) - 0xdc00)
}

/** How many bytes the character at a place has; 0 if it is none. */
export function sequenceAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!
  if (first < 0x80) return 1
  if (first < 0xc2 || first > 0xf4) return 0
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  const second = bytes[at + 1] ?? 0
  // Neither in more bytes than needed, nor half a surrogate pair, nor beyond the last character.
  const least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80
  const most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf
  if (second < least || second > most) return 0
  for (let index = 2; index < length; index++)
    if (((bytes[at + index] ?? 0) & 0xc0) !== 0x80) return 0
  return length
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
