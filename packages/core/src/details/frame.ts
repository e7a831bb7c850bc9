import type { Block } from '../read/grammar.ts'
import type { Call, Span } from '../reply.ts'

/** Where a repair acted in a text. Without `became`, it changed nothing there: it is a fact about that piece. */
export interface Found {
  readonly from: number
  readonly to: number
  readonly became?: string | undefined
}

/** A text in which repairs acted: that of a call, or of a string in it that is JSON itself. */
export interface Frame {
  /** The text, as it was read. */
  readonly text: string
  /** The place of its first character, as its reader counts places. */
  readonly start: number
  readonly name: string
  /** The arguments that were read. */
  readonly args: Call['args']
  readonly block: Block
  /** Comments and raw control characters that have been found in it, in order. */
  readonly known: Found[]
  /** How many characters may still be searched: what is not near is not looked for again and again. */
  readonly budget: { left: number }
  /** A part of the text, as a part of the reply. */
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
 * The frame of a string in a call whose content is JSON: it begins with its quote, at `from` in the reply. If it begins in the
 * prompt, its text is not known.
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

/** How long the escape here is; 1: it is none. */
function escapeLength(raw: string, at: number): number {
  const next = raw[at + 1] ?? ''
  if (next === 'u') return /^[0-9a-fA-F]{4}$/.test(raw.slice(at + 2, at + 6)) ? 6 : 1
  return next !== '' && ('"\\/bfnrt\''.includes(next) || next < ' ') ? 2 : 1
}

function meaning(escape: string): string {
  const meant = escape[1]!
  return meant === "'" || meant < ' ' ? meant : (JSON.parse(`"${escape}"`) as string)
}
