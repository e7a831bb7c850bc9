import type { Hole } from '../hole.ts'
import type { Part, Wire } from '../wire.ts'
import { kept } from './cached.ts'
import { Marks } from './marks.ts'

/**
 * A part of a picture, prepared for reading. Text is split at whitespace, which is optional between
 * marks.
 */
export type Item =
  | { readonly token: string; readonly hole?: undefined }
  | {
      readonly token?: undefined
      readonly hole: Hole
      readonly stops: Marks
      /** True if the hole may be the last part, so the text after the picture may follow it. */
      readonly open: boolean
      readonly before: string
      readonly after: string
      /** All later marks of the picture. */
      readonly later: Marks
      /**
       * True for the value of an attribute, which may contain spaces. The text before the hole
       * shows this.
       */
      readonly attribute: boolean
    }

const compiled = [new WeakMap<Wire, readonly Item[]>(), new WeakMap<Wire, readonly Item[]>()]

/** Prepares a picture for reading. Cached. */
export function compile(wire: Wire, anyCase: boolean): readonly Item[] {
  return kept(compiled[anyCase ? 1 : 0]!, wire, () =>
    wire.flatMap((_, i) => itemsOf(wire, i, anyCase)),
  )
}

function itemsOf(wire: Wire, i: number, anyCase: boolean): Item[] {
  const part = wire[i]!
  if (typeof part === 'string') return tokens(part).map((token) => ({ token }))
  const [before, after] = [wire[i - 1], wire[i + 1]]
  const { marks, open } = starts(wire.slice(i + 1))
  return [
    {
      hole: part,
      stops: new Marks(marks, anyCase),
      open,
      before: trailingSpace(before),
      after: leadingSpace(after),
      later: new Marks(wire.slice(i + 1).flatMap(tokens), anyCase),
      attribute: typeof before === 'string' && /[="']$/.test(before),
    },
  ]
}

/** The marks that a picture may begin with. `open` is true if it may end before any of them. */
export function starts(
  wire: Wire,
  names?: readonly string[],
  call: Wire = [],
): { marks: string[]; open: boolean } {
  const marks: string[] = []
  for (const part of wire) {
    if (typeof part === 'string') {
      const [first, second] = tokens(part)
      if (first === undefined) continue
      // A word before another word must end there, so that `<tool name="` does not match
      // `<tool_call>`.
      const word = second !== undefined && /[\p{L}\p{N}]$/u.test(first)
      const found = word ? [' ', '\n', '\t'].map((space) => first + space) : [first]
      return { marks: [...marks, ...found], open: false }
    }
    marks.push(...(part.starts?.(names, call) ?? []))
    if (!part.optional) return { marks, open: false }
  }
  return { marks, open: true }
}

/** The second mark of a picture. The first one ends at `from`. */
export interface Second {
  readonly from: number
  readonly marks: Marks
  readonly expected: string
}

/**
 * The second mark, which may be the brace of an object. Undefined if more than one text can follow
 * the first mark.
 */
export function secondOf(wire: Wire, anyCase: boolean): Second | undefined {
  const [literal, part] = wire
  if (typeof literal !== 'string' || part === undefined) return undefined
  const [head = '', second] = tokens(literal)
  const follow = second ?? tokens(part)[0]
  const object = typeof part !== 'string' && part.starts?.(undefined, []).join('') === '{'
  const mark = follow ?? (object ? '{' : undefined)
  if (mark === undefined) return undefined
  // Repairs allow a fence or an escaped line break before it.
  const marks = new Marks([mark, '`', '\\'], anyCase)
  return { from: head.length, marks, expected: follow ?? '"{"' }
}

/** The whitespace at the start of a part. Holes have none. */
export function leadingSpace(part: Part | undefined): string {
  return typeof part === 'string' ? part.slice(0, part.length - part.trimStart().length) : ''
}

/** The whitespace at the end of a part. */
export function trailingSpace(part: Part | undefined): string {
  return typeof part === 'string' ? part.slice(part.trimEnd().length) : ''
}

/** The text of a part, split at whitespace. Holes have none. */
export function tokens(part: Part | undefined): string[] {
  return typeof part === 'string' ? part.split(/\s+/).filter((token) => token !== '') : []
}
