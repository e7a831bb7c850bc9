// Folder: Encodings of text files.
/** The most likely encoding of text without a byte order mark. An incomplete character at the end is ignored. */
export function guessEncoding(bytes: Uint8Array): string {
  const { valid, broken } = utf8In(bytes)
  // Tolerates a few invalid bytes in text that is otherwise UTF-8.
  if (broken === 0 || valid > broken * 4) return 'utf-8'
  const pairs = pairsIn(bytes)
  if (pairs.length < 2) return 'windows-1252'
  return GUESSES.find(({ fits }) => fits(pairs))?.encoding ?? 'windows-1252'
}

function utf8In(bytes: Uint8Array): { valid: number; broken: number } {
  let valid = 0
  let broken = 0
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLengthAt(bytes, at)
    if (length > 1) valid++
    if (length === 0 && isCut(bytes, at)) break
    if (length === 0) broken++
    at += length || 1
  }
  return { valid, broken }
}

/** True if the bytes from a position to the end are the beginning of a character. */
function isCut(bytes: Uint8Array, at: number): boolean {
  if (at + 4 <= bytes.length) return false
  const begun = bytes.subarray(at)
  return [0x80, 0xbf].some((byte) => {
    const whole = Uint8Array.of(...begun, byte, byte, byte)
    return sequenceLengthAt(whole, 0) > begun.length
  })
}

interface Pair {
  readonly lead: number
  readonly trail: number
}

/** The pairs of bytes that could be two-byte characters. */
function pairsIn(bytes: Uint8Array): Pair[] {
  const pairs: Pair[] = []
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at]! < 0x80) continue
    pairs.push({ lead: bytes[at]!, trail: bytes[at + 1] ?? 0 })
    at++
  }
  return pairs
}

/** Tests for the byte ranges of common characters; the first match wins. */
const GUESSES: readonly { encoding: string; fits: (pairs: readonly Pair[]) => boolean }[] = [
  {
    // Kana, which every Japanese sentence contains.
    encoding: 'shift_jis',
    fits: (pairs) =>
      share(pairs, ({ lead, trail }) => (lead === 0x82 || lead === 0x83) && trail >= 0x40) > 0.25,
  },
  {
    encoding: 'euc-jp',
    fits: (pairs) =>
      share(pairs, ({ lead, trail }) => (lead === 0xa4 || lead === 0xa5) && trail >= 0xa1) > 0.25 &&
      share(pairs, ({ trail }) => trail >= 0xa1) > 0.95,
  },
  {
    // Half of all second bytes are in the ASCII range.
    encoding: 'big5',
    fits: (pairs) =>
      share(pairs, ({ lead }) => lead >= 0xa1 && lead <= 0xc9) > 0.9 &&
      share(pairs, ({ trail }) => trail >= 0x40 && trail < 0x7f) > 0.15,
  },
  {
    // All Hangul syllables are in this range; Chinese uses lead bytes beyond it.
    encoding: 'euc-kr',
    fits: (pairs) =>
      share(pairs, ({ lead, trail }) => lead >= 0xb0 && lead <= 0xc8 && trail >= 0xa1) > 0.9,
  },
  {
    encoding: 'gbk',
    fits: (pairs) =>
      share(
        pairs,
        ({ lead, trail }) =>
          trail >= 0xa1 && ((lead >= 0xb0 && lead <= 0xf7) || (lead >= 0xa1 && lead <= 0xa3)),
      ) > 0.9,
  },
]

function share(pairs: readonly Pair[], fits: (pair: Pair) => boolean): number {
  return pairs.filter(fits).length / pairs.length
}

/**
 * Decodes UTF-8. Each invalid byte becomes a lone surrogate U+DC80…U+DCFF, which valid text never
 * contains, so `encodeUtf8` can restore any bytes.
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

/** Encodes text from `decodeUtf8`, including invalid bytes. */
export function encodeUtf8(text: string): Uint8Array {
  if (!hasLoneSurrogate(text)) return Buffer.from(text)
  const parts = text.split(/([\udc80-\udcff])/u)
  return Buffer.concat(parts.map((part, odd) => (odd % 2 ? escaped(part) : Buffer.from(part))))
}

/** True if text contains half of a surrogate pair. */
export function hasLoneSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text)
}

function escaped(part: string): Buffer {
  return Buffer.of(part.charCodeAt(0) - 0xdc00)
}

/** The number of bytes of the character at a position; 0 if it is invalid. */
function sequenceLengthAt(bytes: Uint8Array, at: number): number {
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
