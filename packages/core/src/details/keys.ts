import type { Found, Frame } from './frame.ts'
import { afterSpace, findBack, findNext, literal, valueEnd, withQuotes } from './text.ts'
import { isWord } from '../json/scanner.ts'
import { isSpace } from '../read/readers.ts'

/** The key whose value begins at `to`, or that was read right before it. It may be written with escapes. */
export function keyBefore(frame: Frame, key: string, to: number): Found | undefined {
  const { text } = frame
  let end = to
  while (end > 0 && (isSpace(text.charCodeAt(end - 1)) || text[end - 1] === ':')) end--
  const quote = text[end - 1]
  if (quote === '"' || quote === "'")
    for (let from = end - 1, left = LONGEST_KEY; left > 0; left--) {
      from = text.lastIndexOf(quote, from - 1)
      if (from < 0 || end - from > LONGEST_KEY) break
      const written = text.slice(from, end)
      if (written.slice(1, -1) === key || literal(written)?.value === key) return { from, to: end }
    }
  return findBack(frame, key, to)
}

/** Longer keys are not looked at. */
const LONGEST_KEY = 400

/** A member of an object or of arguments that are drawn in any other way. */
export interface Member {
  readonly key: Found
  readonly value: Found
}

/** The member of this key and value between two places. In JSON, nothing in a string is taken for it. */
export function memberIn(...search: MemberSearch): Member | undefined {
  return jsonMember(...search) ?? drawnMember(...search)
}

type MemberSearch = [frame: Frame, key: string, value: unknown, from: number, to: number]

function jsonMember(...[frame, key, value, from, to]: MemberSearch): Member | undefined {
  const { text, budget } = frame
  const written = JSON.stringify(key)
  const wanted = JSON.stringify(value)
  for (
    let at = findNext(frame, written, from);
    at >= 0 && at < to;
    at = findNext(frame, written, at + 1)
  ) {
    const colon = afterSpace(text, at + written.length)
    if (text[colon] !== ':') continue
    const start = afterSpace(text, colon + 1)
    const end = valueEnd(text, start)
    budget.left -= end - start
    if (JSON.stringify(literal(text.slice(start, end))?.value) === wanted)
      return { key: { from: at, to: at + written.length }, value: { from: start, to: end } }
  }
  return undefined
}

/** A key is no part of a word, and what separates it from its value follows. */
function drawnMember(...[frame, key, value, from, to]: MemberSearch): Member | undefined {
  const { text } = frame
  const written = typeof value === 'string' ? value : JSON.stringify(value)
  for (let at = findNext(frame, key, from); at >= 0 && at < to; at = findNext(frame, key, at + 1)) {
    const part = withQuotes(text, at, at + key.length)
    const before = text.charCodeAt(part.from - 1)
    if (isWord(before) || !SEPARATORS.has(text[afterSpace(text, part.to)])) continue
    const start = findNext(frame, written, part.to)
    return start < 0 || start > to
      ? undefined
      : { key: part, value: withQuotes(text, start, start + written.length) }
  }
  return undefined
}

const SEPARATORS = new Set<string | undefined>([':', '=', '>', '<'])
