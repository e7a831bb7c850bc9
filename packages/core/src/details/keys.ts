import {
  type Found,
  type Frame,
  afterSpace,
  findBack,
  findNext,
  literal,
  valueEnd,
  withQuotes,
  stringEnd,
} from './text.ts'
import { isWord } from '../json/scanner.ts'
import { isSpace } from '../read/readers.ts'

/** The key before `to`, which may be written with escapes. */
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

/** The maximum length of a key, with its quotes. */
const LONGEST_KEY = 400

/** A member of a JSON object or of arguments drawn in another way. */
interface Member {
  readonly key: Found
  readonly value: Found
}

/**
 * The member with this key and value between two places. Strings in JSON are not searched for
 * members.
 */
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

/** A member that is not JSON: its key is a whole word, followed by a separator. */
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

/** The repeated keys of the objects in a text, starting at `from`. */
export function duplicatesIn(text: string, from = 0): readonly Found[] {
  const open: Set<string>[] = []
  const found: Found[] = []
  for (let at = from; at < text.length && found.length < MAX_FOUND; at++) {
    const char = text[at]
    if (char === '{') open.push(new Set())
    else if (char === '}') open.pop()
    else if (char === '"' || char === "'") {
      const end = stringEnd(text, at)
      const keys = open.at(-1)
      if (keys && text[afterSpace(text, end)] === ':') {
        const key = text.slice(at + 1, end - 1)
        if (keys.has(key)) found.push({ from: at, to: end })
        keys.add(key)
      }
      at = end - 1
    }
  }
  return found
}

const MAX_FOUND = 100

/**
 * The numbers in these arguments that JavaScript cannot represent. The same digits may also occur
 * in a string, so numbers outside strings come first, then strings that contain only the number (a
 * schema may have converted them), then other strings.
 */
export function largeNumbersIn(text: string, args: unknown): readonly Found[] {
  const left = largeNumbers(args)
  const strings = stringsIn(text)
  const kinds: (readonly [Found, number])[][] = [[], [], []]
  let string = 0
  for (const { 0: digits, index } of text.matchAll(NUMBER)) {
    const value = Number(digits)
    if (!left.has(value)) continue
    // No replacement is shown for a number beyond the range of JavaScript.
    const became = Number.isFinite(value) ? String(value) : undefined
    const found = { from: index, to: index + digits.length, became }
    while (string < strings.length && strings[string]![1] <= index) string++
    const [start, end] = strings[string] ?? [Infinity, Infinity]
    const kind = start > index ? 0 : end - start === digits.length + 2 ? 1 : 2
    if (kinds[kind]!.length < MAX_FOUND) kinds[kind]!.push([found, value])
  }
  return kinds.flat().flatMap(([found, value]) => {
    const count = left.get(value)!
    left.set(value, count - 1)
    return count > 0 ? [found] : []
  })
}

/** A number that is not part of a word. */
const NUMBER = /(?<![\w.+-])[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?/g

/** The number of occurrences of each number that lost precision. */
function largeNumbers(args: unknown): Map<number, number> {
  const counts = new Map<number, number>()
  const pending = [args]
  while (pending.length > 0) {
    const value = pending.pop()
    if (typeof value === 'object' && value !== null)
      for (const one of Object.values(value)) pending.push(one)
    else if (typeof value === 'number' && isLarge(value))
      counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return counts
}

function isLarge(value: number): boolean {
  return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))
}

/** The places of strings in double quotes. */
function stringsIn(text: string): readonly (readonly [from: number, to: number])[] {
  const strings: [number, number][] = []
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at)) {
    const end = stringEnd(text, at)
    strings.push([at, end])
    at = end
  }
  return strings
}
