/**
 * Estimates how many tokens a text has, without the model's own tokenizer: it counts what all tokenizers split at
 * (words, capitals inside words, digits, punctuation, line breaks) and what a character of each script usually costs.
 * docs/decisions/0024-context-and-results.md reports how accurate it is.
 */
export function estimateTokens(text: string): number {
  if (text.length <= MAX_MEASURED) return Math.ceil(tokensIn(text, 0, text.length))
  const stride = Math.floor(text.length / (MAX_MEASURED / SAMPLE))
  let tokens = 0
  for (let at = 0; at + SAMPLE <= text.length; at += stride)
    tokens += tokensIn(text, at, at + SAMPLE) * (stride / SAMPLE)
  return Math.ceil(tokens)
}

/** Of texts longer than this, only samples spread over the text are measured. */
const MAX_MEASURED = 1 << 20
const SAMPLE = 1 << 12

function tokensIn(text: string, from: number, to: number): number {
  let tokens = 0
  let kind: Kind = 'none'
  let length = 0
  const end = (): void => {
    if (length > 0) tokens += COSTS[kind](length)
    length = 0
  }
  for (let i = from; i < to; i++) {
    const next = kindOf(text.charCodeAt(i))
    const continues = next === kind || (kind === 'capital' && next === 'letter')
    if (!continues) end()
    // A capital followed by lowercase letters is one word.
    kind = next
    length++
  }
  end()
  return tokens
}

type Kind = keyof typeof COSTS

/** How many tokens a run of characters of one kind costs. */
const COSTS = {
  none: () => 0,
  letter: (length: number) => 1 + Math.floor((length - 1) / 8),
  capital: (length: number) => Math.ceil(length / 3),
  // A space before a number is often a separate token.
  digit: (length: number) => Math.ceil(length / 3) + 0.25,
  // A single space belongs to the word after it.
  space: (length: number) => (length > 1 ? 1 : 0),
  line: () => 0.8,
  sign: (length: number) => Math.ceil(length / 2),
  accented: (length: number) => length * 0.45,
  alphabet: (length: number) => length * 0.36,
  ideograph: (length: number) => length * 0.95,
  other: (length: number) => length * 1.1,
}

function kindOf(unit: number): Kind {
  if (unit >= 97 && unit <= 122) return 'letter'
  if (unit >= 65 && unit <= 90) return 'capital'
  if (unit >= 48 && unit <= 57) return 'digit'
  if (unit === 32 || unit === 9) return 'space'
  if (unit === 10 || unit === 13) return 'line'
  if (unit < 128) return 'sign'
  // Latin letters with diacritics, including Vietnamese.
  if (unit < 0x250 || (unit >= 0x1e00 && unit < 0x1f00)) return 'accented'
  if (unit < 0x1100) return 'alphabet'
  if (unit >= 0x2e80 && unit < 0xd7b0) return 'ideograph'
  return 'other'
}
