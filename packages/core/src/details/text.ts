import { readLoosely } from '../json/loosely.ts'
import { isSpace } from '../read/readers.ts'
import type { Found, Frame } from './frame.ts'

/** A piece longer than this is not shown whole: its ends are, or its beginning. */
export const LONG = 200

/** A part of a text without the whitespace around it. */
export function trimmed(text: string, from: number, to: number): Found {
  let [start, end] = [from, Math.min(to, text.length)]
  while (start < end && isSpace(text.charCodeAt(start))) start++
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  return { from: start, to: end }
}

/** A fact about a part of a text, if that is long: about its beginning. */
export function fact(text: string, from: number, to: number): Found {
  const part = trimmed(text, from, to)
  return { from: part.from, to: Math.min(part.to, part.from + LONG) }
}

/** Where the value at `at` ends, as far as that is clear. */
export function valueEnd(text: string, at: number): number {
  let depth = 0
  for (let i = at; i < text.length; i++) {
    const char = text[i]!
    if (char === '"' || char === "'") {
      i = stringEnd(text, i) - 1
      if (depth === 0) return i + 1
    } else if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') {
      if (depth === 0) return i
      if (--depth === 0) return i + 1
    } else if (depth === 0 && (char === ',' || isSpace(text.charCodeAt(i)))) return i
  }
  return text.length
}

/** Where the string at `at` ends: after the first of its quotes that something follows which can follow a string. */
export function stringEnd(text: string, at: number): number {
  const quote = text[at]
  let last = -1
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === quote) {
      last = i + 1
      if (FOLLOWS.has(text.charCodeAt(afterSpace(text, last)))) return last
    }
  }
  return last < 0 ? text.length : last
}

/** The end of the text, and , : } ] */
const FOLLOWS = new Set([NaN, 44, 58, 125, 93])

/** The next place that is not whitespace. */
export function afterSpace(text: string, at: number): number {
  let i = at
  while (isSpace(text.charCodeAt(i))) i++
  return i
}

/** The last occurrence of a text that ends at `to` or before it, with the quotes around it. */
export function findBack({ text, budget }: Frame, what: string, to: number): Found | undefined {
  if (what === '' || to < what.length || budget.left <= 0) return undefined
  const lowest = Math.max(to - budget.left, 0)
  const at = text.lastIndexOf(what, to - what.length)
  budget.left -= to - Math.max(at, 0)
  return at < lowest ? undefined : withQuotes(text, at, at + what.length)
}

/** The next occurrence of a text. */
export function findNext({ text, budget }: Frame, what: string, from: number): number {
  if (what === '' || budget.left <= 0) return -1
  const at = text.indexOf(what, from)
  budget.left -= (at < 0 ? text.length : at) - from
  return at
}

/** A part of a text with the quotes around it, if there are any. */
export function withQuotes(text: string, from: number, to: number): Found {
  const quote = text[from - 1]
  const quoted = (quote === '"' || quote === "'") && text[to] === quote
  return quoted ? { from: from - 1, to: to + 1 } : { from, to }
}

/** The value of a literal as in JSON or in Python. */
export function literal(text: string): { readonly value: unknown } | undefined {
  const found = parsed(text) ?? readLoosely(`[${text}]`, () => true)
  return found && Array.isArray(found.value) && !text.startsWith('[')
    ? { value: (found.value as unknown[])[0] }
    : found
}

/** The value of a JSON text, if it is one. */
export function parsed(json: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(json) as unknown }
  } catch {
    // It was repaired, or it is something else.
    return undefined
  }
}
