/**
 * How many tokens a text is, about. Nobody knows without the model's own tokenizer: this counts what all of them split
 * at (words, capitals inside words, digits, signs, line ends) and takes for each script what a character usually costs.
 * docs/decisions/0024-context-and-results.md has how far off it is.
 */
export function estimateTokens(text: string): number {
  if (text.length <= LONG) return Math.ceil(tokensIn(text, 0, text.length))
  const stride = Math.floor(text.length / (LONG / STRETCH))
  let tokens = 0
  for (let at = 0; at + STRETCH <= text.length; at += stride)
    tokens += tokensIn(text, at, at + STRETCH) * (stride / STRETCH)
  return Math.ceil(tokens)
}

/** Of a text that is longer, only so much is looked at, in stretches all over it. */
const LONG = 1 << 20
const STRETCH = 1 << 12

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
    const goesOn = next === kind || (kind === 'capital' && next === 'letter')
    if (!goesOn) end()
    // A word begins with a capital, and goes on with small letters.
    kind = next
    length++
  }
  end()
  return tokens
}

type Kind = keyof typeof COSTS

/** What a run of so many characters of a kind costs. */
const COSTS = {
  none: () => 0,
  letter: (length: number) => 1 + Math.floor((length - 1) / 8),
  capital: (length: number) => Math.ceil(length / 3),
  // A space before a number is often a token of its own.
  digit: (length: number) => Math.ceil(length / 3) + 0.25,
  // One space belongs to the word behind it.
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
  // Latin letters with marks, those of Vietnamese among them.
  if (unit < 0x250 || (unit >= 0x1e00 && unit < 0x1f00)) return 'accented'
  if (unit < 0x1100) return 'alphabet'
  if (unit >= 0x2e80 && unit < 0xd7b0) return 'ideograph'
  return 'other'
}
