import { isWord } from '../json/scanner.ts'
import { WORDS } from '../python/print.ts'
import { isSpace } from '../read/readers.ts'
import { type Found, literal, LONG, trimmed } from './text.ts'

/**
 * Finds the effect of a JSON repair. `from` is where strict reading stopped, `to` where it
 * continued. `known` are earlier comments and raw control characters.
 */
type Finder = (
  text: string,
  from: number,
  to: number,
  became: string | undefined,
  known: readonly Found[],
) => readonly Found[]

/** A finder for each JSON repair. */
export const JSON_FINDERS: Readonly<Record<string, Finder>> = {
  'bad-escape': (text, from, to) => {
    const start = text.lastIndexOf('\\', from - 1)
    return to > from
      ? [{ from: start, to, became: asContent(text.slice(start + 1, to)) }]
      : [{ from: start, to: start + 1, became: '\\\\' }]
  },
  comment: (_, from, to) => [{ from, to, became: '' }],
  'missing-bracket': (_, from, __, became) => [{ from, to: from, became }],
  'missing-comma': (_, from) => [{ from, to: from, became: ',' }],
  'python-word': (text, from) => {
    const start = wordStart(text, from)
    return [{ from: start, to: from, became: WORDS.get(text.slice(start, from)) }]
  },
  'raw-control': (text, from) => [
    { from, to: from + 1, became: asContent(text.slice(from, from + 1)) },
  ],
  'single-quotes': (text, from, to) => {
    if (to - from > LONG) return [from, to - 1].map((at) => ({ from: at, to: at + 1, became: '"' }))
    const value = literal(text.slice(from, to))?.value ?? text.slice(from + 1, to - 1)
    return [{ from, to, became: JSON.stringify(value) }]
  },
  'trailing-comma': (text, from) => {
    const at = commaBefore(text, from)
    return [{ from: at, to: at + 1, became: '' }]
  },
  'unescaped-quote': (text, from, _, became = '', known) => quotesIn(text, from, became, known),
  'unquoted-key': (text, from, to) => {
    const key = trimmed(text, from, to)
    return [{ ...key, became: JSON.stringify(text.slice(key.from, key.to)) }]
  },
  'unquoted-string': (text, from, to) => {
    const word = to > from ? trimmed(text, from, to) : { from: wordStart(text, from), to }
    // A call never begins with a word, so the word began in the prompt.
    if (word.from === 0) return [{ from: word.to, to: word.to, became: '"' }]
    if (word.to - word.from > LONG)
      return [word.from, word.to].map((at) => ({ from: at, to: at, became: '"' }))
    return [{ ...word, became: JSON.stringify(text.slice(word.from, word.to)) }]
  },
}

function asContent(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/** The start of the word before `end`. */
function wordStart(text: string, end: number): number {
  let at = end
  while (at > 0 && isWord(text.charCodeAt(at - 1))) at--
  // The word may follow a comment.
  const comment = text.slice(at, end).lastIndexOf('*/')
  return comment < 0 ? at : at + comment + 2
}

/**
 * The offset of the comma before a closing bracket, past whitespace and comments. -1 if it is in
 * the prompt.
 */
function commaBefore(text: string, end: number): number {
  let at = end - 1
  for (;;) {
    while (at >= 0 && isSpace(text.charCodeAt(at))) at--
    if (at < 0 || text[at] === ',') return at
    // Skips back to the start of a comment. A comment may contain `//`.
    at = text.lastIndexOf(text.startsWith('*/', at - 1) ? '/*' : '//', at - 1) - 1
  }
}

/**
 * The quotes in text that was first read as the end of a string but was content, together with the
 * line breaks between them. Known places are skipped.
 */
function quotesIn(text: string, end: number, tail: string, known: readonly Found[]): Found[] {
  let left = 0
  for (let i = 0; i < tail.length; i++) {
    if (tail[i] === '\\') i++
    else if (tail[i] === '"') left++
  }
  const found: Found[] = []
  let last = known.length - 1
  for (let i = end - 1; i >= 0 && left > 0; i--) {
    const char = text[i]!
    while (last >= 0 && known[last]!.from > i) last--
    if (last >= 0 && i < known[last]!.to) i = known[last]!.from
    else if (char < ' ') found.push({ from: i, to: i + 1, became: asContent(char) })
    else if (char === '"' && !isEscaped(text, i)) {
      found.push({ from: i, to: i + 1, became: '\\"' })
      left--
    }
  }
  // The remaining quotes are in the prompt.
  return left > 0 ? [...found, { from: -1, to: 0 }] : found
}

function isEscaped(text: string, at: number): boolean {
  let start = at
  while (text[start - 1] === '\\') start--
  return (at - start) % 2 === 1
}
