import { sequenceAt } from './utf8.ts'

/** The encoding that text without a mark is most likely in. Half a character at the end is no reason against it. */
export function guessEncoding(bytes: Uint8Array): string {
  const { valid, broken } = utf8In(bytes)
  // Some stray bytes in a text that is UTF-8 otherwise.
  if (broken === 0 || valid > broken * 4) return 'utf-8'
  const pairs = pairsIn(bytes)
  if (pairs.length < 2) return 'windows-1252'
  return GUESSES.find(({ fits }) => fits(pairs))?.encoding ?? 'windows-1252'
}

function utf8In(bytes: Uint8Array): { valid: number; broken: number } {
  let valid = 0
  let broken = 0
  for (let at = 0; at < bytes.length;) {
    const length = sequenceAt(bytes, at)
    if (length > 1) valid++
    if (length === 0 && isCut(bytes, at)) break
    if (length === 0) broken++
    at += length || 1
  }
  return { valid, broken }
}

/** Whether the bytes from a place to the end begin a character. */
function isCut(bytes: Uint8Array, at: number): boolean {
  if (at + 4 <= bytes.length) return false
  const begun = bytes.subarray(at)
  return [0x80, 0xbf].some((byte) => {
    const whole = Uint8Array.of(...begun, byte, byte, byte)
    return sequenceAt(whole, 0) > begun.length
  })
}

interface Pair {
  readonly lead: number
  readonly trail: number
}

/** What would be characters of two bytes. */
function pairsIn(bytes: Uint8Array): Pair[] {
  const pairs: Pair[] = []
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at]! < 0x80) continue
    pairs.push({ lead: bytes[at]!, trail: bytes[at + 1] ?? 0 })
    at++
  }
  return pairs
}

/** By where the characters of everyday text lie; the first that fits. */
const GUESSES: readonly { encoding: string; fits: (pairs: readonly Pair[]) => boolean }[] = [
  {
    // Kana, in every Japanese sentence.
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
    // Half of its second bytes look like ASCII.
    encoding: 'big5',
    fits: (pairs) =>
      share(pairs, ({ lead }) => lead >= 0xa1 && lead <= 0xc9) > 0.9 &&
      share(pairs, ({ trail }) => trail >= 0x40 && trail < 0x7f) > 0.15,
  },
  {
    // All syllables lie together, where Chinese goes on.
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
