/** The parsed text in the parentheses of a `Bash(…)` rule. */
export type CommandPattern =
  /** `git status:*`, `git status *`: a command that begins with these words. */
  | { readonly type: 'prefix'; readonly words: readonly string[]; readonly text: string }
  /** `git status`: exactly these words. */
  | { readonly type: 'exact'; readonly words: readonly string[]; readonly text: string }
  /** `git * main`: `*` is any text within one command. `loose`: the last `*` has no space before it. */
  | {
      readonly type: 'glob'
      readonly words: readonly string[]
      readonly text: string
      readonly loose?: boolean
    }
  /** `*`: any plain command. */
  | { readonly type: 'any'; readonly words: readonly string[]; readonly text: string }
  /** `a && b`: exactly this text. */
  | { readonly type: 'text'; readonly words: readonly string[]; readonly text: string }

/** Parses a pattern, or returns a sentence that describes its problem. */
export function readCommandPattern(pattern: string): CommandPattern | string {
  const text = pattern.trim()
  if (!text) return 'The command is empty.'
  if (text === '*') return { type: 'any', words: [], text }
  const mark = text.indexOf(':*')
  if (mark >= 0 && mark < text.length - 2) return '":*" must be at the end.'
  const ending = mark >= 0 ? 2 : text.endsWith(' *') ? 2 : 0
  const body = ending ? text.slice(0, -ending).trim() : text
  if (!body) return 'There is no command before "*".'
  const { words, operators, open } = split(body)
  if (open) return `Unclosed quote in ${body}.`
  if (operators)
    return ending
      ? 'A rule covers one command: "*" cannot follow an operator.'
      : { type: 'text', words, text }
  if (!words[0]) return 'The command is empty.'
  const starred = words.findIndex((word) => word.includes('*'))
  if (starred >= 0) {
    const loose =
      !ending &&
      starred === words.length - 1 &&
      words[starred]!.indexOf('*') === words[starred]!.length - 1
    return {
      type: 'glob',
      words: words.slice(0, starred),
      text: ending ? `${body} *` : text,
      loose: loose || undefined,
    }
  }
  return { type: ending ? 'prefix' : 'exact', words, text: body }
}

/** The pattern for exactly these words, or undefined if a word is unknown or contains `*`. */
export function exactPattern(words: readonly (string | undefined)[]): string | undefined {
  return words.length > 0 && words.every((word) => word !== undefined && !word.includes('*'))
    ? words.map((word) => quoted(word!)).join(' ')
    : undefined
}

/** A word, quoted for a shell if needed. */
export const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`

/** A word for display on one line. */
export const shownWord = (word: string): string =>
  /\p{Cc}/u.test(word) ? `$'${word.replace(/\p{Cc}|['\\]/gu, escapedCharacter)}'` : quoted(word)

const escapedCharacter = (character: string): string =>
  character === '\n'
    ? '\\n'
    : /['\\]/.test(character)
      ? `\\${character}`
      : `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`

/** The words of a rule, split as a shell would. */
function split(text: string): { words: string[]; operators: boolean; open: boolean } {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  let operators = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (quote) {
      if (character === quote) quote = ''
      else if (character === '\\' && quote === '"' && /["\\$`]/.test(text[at + 1] ?? ''))
        word += text[++at]!
      else word += character
    } else if (character === '"' || character === "'") {
      quote = character
      word ??= ''
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else {
      if (/[;&|<>()`\n]/.test(character) || (character === '$' && text[at + 1] === '('))
        operators = true
      word = (word ?? '') + (character === '\\' ? (text[++at] ?? '\\') : character)
    }
  }
  if (word !== undefined) words.push(word)
  return { words, operators, open: quote !== '' }
}

/**
 * True if a text matches a pattern in which `*` matches any characters. Only the last `*` is
 * retried.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  let at = 0
  let star = -1
  let resume = 0
  let position = 0
  while (position < text.length) {
    if (pattern[at] === '*') {
      star = at++
      resume = position
    } else if (at < pattern.length && pattern[at] === text[position]) {
      at++
      position++
    } else if (star >= 0) {
      at = star + 1
      position = ++resume
    } else return false
  }
  while (pattern[at] === '*') at++
  return at === pattern.length
}
