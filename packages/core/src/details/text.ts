import { readLoosely } from '../json/read.ts'
import { isSpace } from '../read/readers.ts'
import type { Block } from '../read/grammar.ts'
import type { Call, Span } from '../reply.ts'
import type { Repaired } from '../read/recorder.ts'
import { isSchema } from '../schema/resolve.ts'

/** The length above which only the ends or the start of a piece are shown. */
export const LONG = 200

/** The place of a part without the whitespace around it. */
export function trimmed(text: string, from: number, to: number): Found {
  let [start, end] = [from, Math.min(to, text.length)]
  while (start < end && isSpace(text.charCodeAt(start))) start++
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  return { from: start, to: end }
}

/** A detail about part of a text. Only the start of a long part is included. */
export function fact(text: string, from: number, to: number): Found {
  const part = trimmed(text, from, to)
  return { from: part.from, to: Math.min(part.to, part.from + LONG) }
}

/** The end of the value at `at`, as far as that is clear. */
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

/** The end of the string at `at`: its first quote after which the text can continue as JSON. */
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

/** The next offset that is not whitespace. */
export function afterSpace(text: string, at: number): number {
  let i = at
  while (isSpace(text.charCodeAt(i))) i++
  return i
}

/** The last occurrence of a string that ends at or before `to`, with the quotes around it. */
export function findBack({ text, budget }: Frame, what: string, to: number): Found | undefined {
  if (what === '' || to < what.length || budget.left <= 0) return undefined
  const lowest = Math.max(to - budget.left, 0)
  const at = text.lastIndexOf(what, to - what.length)
  budget.left -= to - Math.max(at, 0)
  return at < lowest ? undefined : withQuotes(text, at, at + what.length)
}

/** The next occurrence of a string. */
export function findNext({ text, budget }: Frame, what: string, from: number): number {
  if (what === '' || budget.left <= 0) return -1
  const at = text.indexOf(what, from)
  budget.left -= (at < 0 ? text.length : at) - from
  return at
}

/** The place of a part, including any quotes around it. */
export function withQuotes(text: string, from: number, to: number): Found {
  const quote = text[from - 1]
  const quoted = (quote === '"' || quote === "'") && text[to] === quote
  return quoted ? { from: from - 1, to: to + 1 } : { from, to }
}

/** The value of a literal in JSON or Python. */
export function literal(text: string): { readonly value: unknown } | undefined {
  const found = parsed(text) ?? readLoosely(`[${text}]`, () => true)
  return found && Array.isArray(found.value) && !text.startsWith('[')
    ? { value: (found.value as unknown[])[0] }
    : found
}

/** The value of a JSON text, if it is valid. */
export function parsed(json: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(json) as unknown }
  } catch {
    // Repaired text, or not JSON.
    return undefined
  }
}

/**
 * A place where a repair acted. Without `became`, nothing changed there: it only notes a fact about
 * that piece.
 */
export interface Found {
  readonly from: number
  readonly to: number
  readonly became?: string | undefined
}

/** The text in which repairs acted: a call's text, or a string in it that contains JSON. */
export interface Frame {
  /** The text, as it was read. */
  readonly text: string
  /** The place of its first character in the reader's coordinates. */
  readonly start: number
  readonly name: string
  /** The arguments that were read. */
  readonly args: Call['args']
  readonly block: Block
  /** The comments and raw control characters found so far, in order. */
  readonly known: Found[]
  /** The number of characters that may still be searched, so that repeated searches stay cheap. */
  readonly budget: { left: number }
  /** The span of a part of the text within the reply. */
  spanOf(from: number, to: number): Span
}

/** The frame of a call's own text. */
export function frameOf(
  { raw, span, name, args }: Pick<Call, 'name' | 'args' | 'raw' | 'span'>,
  block: Block,
): Frame {
  const base = span[1] - raw.length
  const inside = (at: number): number => base + Math.min(Math.max(at, 0), raw.length)
  return {
    text: raw,
    start: base,
    name,
    args,
    block,
    known: [],
    budget: { left: 8 * raw.length + SEARCHED },
    spanOf: (from, to) => [inside(from), inside(Math.max(from, to))],
  }
}

const SEARCHED = 1 << 16

/**
 * The frame of a string that contains JSON, inside a call. The string's quote is at `from` in the
 * reply. If it begins in the prompt, its text is empty.
 */
export function innerFrame(frame: Frame, from: number): Frame {
  const { text: raw, start: base } = frame
  const text: string[] = []
  const places: number[] = []
  for (let i = from < base ? raw.length : from - base + 1; i < raw.length;) {
    const length = raw[i] === '\\' ? escapeLength(raw, i) : 1
    places.push(i)
    text.push(length > 1 ? meaning(raw.slice(i, i + length)) : raw[i]!)
    i += length
  }
  const inside = (at: number): number => places[Math.max(at, 0)] ?? raw.length
  return {
    ...frame,
    known: [],
    text: text.join(''),
    start: 0,
    spanOf: (at, to) => frame.spanOf(inside(at), inside(Math.max(at, to))),
  }
}

/** The length of the escape at this offset, or 1 if there is none. */
function escapeLength(raw: string, at: number): number {
  const next = raw[at + 1] ?? ''
  if (next === 'u') return /^[0-9a-fA-F]{4}$/.test(raw.slice(at + 2, at + 6)) ? 6 : 1
  return next !== '' && ('"\\/bfnrt\''.includes(next) || next < ' ') ? 2 : 1
}

function meaning(escape: string): string {
  const meant = escape[1]!
  return meant === "'" || meant < ' ' ? meant : (JSON.parse(`"${escape}"`) as string)
}

/**
 * A note on a repair, with the known facts about its place. The reader was at `to`, or the repaired
 * text ends there.
 */
export type Note = { readonly name: string; readonly to: number } & Place

type Place =
  /** The repair acted at this place. */
  | { readonly kind: 'here' }
  /** This part of the text was replaced. */
  | { readonly kind: 'part'; readonly from: number; readonly became: string | undefined }
  /** This part could not be repaired, and the call ends in it. */
  | { readonly kind: 'failed'; readonly from: number }
  /** The repair acted somewhere in this part. */
  | { readonly kind: 'within'; readonly from: number }
  /** The value that begins here was converted. With `open`, it ends with its JSON. */
  | {
      readonly kind: 'value'
      readonly from: number
      readonly made: unknown
      readonly open: boolean
    }
  /** A preceding key, name or word became another. */
  | { readonly kind: 'text'; readonly text: string; readonly became: string | undefined }
  /** The arguments read between these places changed. */
  | {
      readonly kind: 'members'
      readonly from: number
      readonly before: Readonly<Record<string, unknown>>
      readonly after: Readonly<Record<string, unknown>> | undefined
    }

/** Converts a reader's record of a repair, made at `place`, to a note. */
export function noteOf([name, from, became, end]: Repaired, place: number): Note {
  const to = end === undefined || end === -1 ? place : end
  const text = typeof became === 'string' ? became : undefined
  if (typeof from === 'string') return { name, to, kind: 'text', text: from, became: text }
  if (typeof from === 'object')
    return {
      name,
      to,
      kind: 'members',
      from: -Infinity,
      before: from,
      after: isSchema(became) ? became : undefined,
    }
  if (from === undefined) return { name, to, kind: 'here' }
  if (name === 'coerced' || name === 'mistyped')
    return { name, to, kind: 'value', from, made: became, open: end === -1 }
  if (became === false) return { name, to, kind: 'failed', from }
  if (became === true) return { name, to, kind: 'within', from }
  return { name, to, kind: 'part', from, became: text }
}

/** Shifts a note's places, so that they are relative to a text that begins at `start`. */
export function moved(note: Note, start: number): Note {
  const to = note.to - start
  return 'from' in note ? { ...note, to, from: note.from - start } : { ...note, to }
}
