import { type Content, countImages } from './chat-message.ts'

/**
 * The approximate cost of an image: servers charge between a few hundred and a few thousand tokens,
 * regardless of the file size.
 */
const IMAGE_TOKENS = 1500

/** Estimates the number of tokens for the images in a message. */
export function estimateImageTokens(content: Content): number {
  return countImages(content) * IMAGE_TOKENS
}

/**
 * Estimates the number of tokens in text without the model's tokenizer: counts the places where all
 * tokenizers split (words, capitals inside words, digits, punctuation, line breaks) plus the usual
 * cost of a character in each script. docs/decisions/0024-context-and-results.md reports its
 * accuracy.
 */
export function estimateTokens(text: string): number {
  if (text.length <= MAX_MEASURED) return Math.ceil(tokensIn(text, 0, text.length))
  const stride = Math.floor(text.length / (MAX_MEASURED / SAMPLE))
  let tokens = 0
  for (let at = 0; at + SAMPLE <= text.length; at += stride)
    tokens += tokensIn(text, at, at + SAMPLE) * (stride / SAMPLE)
  return Math.ceil(tokens)
}

/** The maximum length to measure completely. Longer strings are sampled. */
const MAX_MEASURED = 1 << 20
const SAMPLE = 1 << 12

function tokensIn(text: string, from: number, to: number): number {
  let tokens = 0
  let kind = NONE
  let start = from
  for (let i = from; i < to; i++) {
    const unit = text.charCodeAt(i)
    const next = unit < 128 ? ASCII[unit]! : kindOf(unit)
    if (next === kind) continue
    // A capital and the lowercase letters after it are one word.
    if (kind !== CAPITAL || next !== LETTER) {
      tokens += kind(i - start)
      start = i
    }
    kind = next
  }
  return tokens + kind(to - start)
}

/** A kind of character. Returns the cost in tokens of a sequence of this length. */
type Kind = (length: number) => number

const NONE: Kind = () => 0
const LETTER: Kind = (length) => 1 + Math.floor((length - 1) / 8)
const CAPITAL: Kind = (length) => Math.ceil(length / 3)
/** A space before a number is often a separate token. */
const DIGIT: Kind = (length) => Math.ceil(length / 3) + 0.25
/** A single space belongs to the next word. */
const SPACE: Kind = (length) => (length > 1 ? 1 : 0)
const LINE: Kind = () => 0.8
const SIGN: Kind = (length) => Math.ceil(length / 2)
const ACCENTED: Kind = (length) => length * 0.45
const ALPHABET: Kind = (length) => length * 0.36
const IDEOGRAPH: Kind = (length) => length * 0.95
const OTHER: Kind = (length) => length * 1.1

function kindOf(unit: number): Kind {
  if (unit >= 97 && unit <= 122) return LETTER
  if (unit >= 65 && unit <= 90) return CAPITAL
  if (unit >= 48 && unit <= 57) return DIGIT
  if (unit === 32 || unit === 9) return SPACE
  if (unit === 10 || unit === 13) return LINE
  if (unit < 128) return SIGN
  // Latin letters with diacritics, including Vietnamese.
  if (unit < 0x250 || (unit >= 0x1e00 && unit < 0x1f00)) return ACCENTED
  if (unit < 0x1100) return ALPHABET
  if (unit >= 0x2e80 && unit < 0xd7b0) return IDEOGRAPH
  return OTHER
}

const ASCII: readonly Kind[] = Array.from({ length: 128 }, (_, unit) => kindOf(unit))
