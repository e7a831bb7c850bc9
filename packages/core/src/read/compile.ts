import type { Hole } from '../hole.ts'
import type { Wire } from '../wire.ts'
import { Marks } from './marks.ts'

/** A picture, made ready to be read: its text split at whitespace, which is free between marks. */
export type Item =
  | { readonly token: string; readonly hole?: undefined }
  | {
      readonly token?: undefined
      readonly hole: Hole
      readonly stops: Marks
      /** Nothing certain follows inside the picture: what follows the picture may. */
      readonly open: boolean
      readonly before: string
      readonly after: string
      /** All marks of the picture behind it. */
      readonly later: Marks
      /** Text right before it shows that it is the value of an attribute, which may hold spaces. */
      readonly attribute: boolean
    }

const compiled = [new WeakMap<Wire, readonly Item[]>(), new WeakMap<Wire, readonly Item[]>()]

export function compile(wire: Wire, anyCase: boolean): readonly Item[] {
  const known = compiled[anyCase ? 1 : 0]!
  let items = known.get(wire)
  if (!items) known.set(wire, (items = wire.flatMap((_, i) => itemsOf(wire, i, anyCase))))
  return items
}

function itemsOf(wire: Wire, i: number, anyCase: boolean): Item[] {
  const part = wire[i]!
  if (typeof part === 'string') return tokens(part).map((token) => ({ token }))
  const [before, after] = [wire[i - 1], wire[i + 1]]
  const gap = typeof after === 'string' ? leadingSpace(after) : ''
  const { marks, open } = starts(wire.slice(i + 1))
  return [
    {
      hole: part,
      stops: new Marks(marks, anyCase),
      open,
      before: typeof before === 'string' ? trailingSpace(before) : '',
      after: gap,
      later: new Marks(
        wire.slice(i + 1).flatMap((part) => (typeof part === 'string' ? tokens(part) : [])),
        anyCase,
      ),
      attribute: typeof before === 'string' && /[="']$/.test(before),
    },
  ]
}

/** The marks a picture may begin with, and whether it may be over before any. */
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
      // `<tool name="` does not begin in `<tool_call>`: a word that another follows ends there.
      const word = second !== undefined && /[\p{L}\p{N}]$/u.test(first)
      const found = word ? [' ', '\n', '\t'].map((space) => first + space) : [first]
      return { marks: [...marks, ...found], open: false }
    }
    marks.push(...(part.starts?.(names, call) ?? []))
    if (!part.optional) return { marks, open: false }
  }
  return { marks, open: true }
}

/** What must follow the first mark of a picture, which ends at `from`. */
export interface Second {
  readonly from: number
  readonly marks: Marks
  readonly expected: string
}

/** Undefined: it is not certain. Else it is another mark, or the brace of an object. */
export function secondOf(wire: Wire, anyCase: boolean): Second | undefined {
  const [literal, part] = wire
  if (typeof literal !== 'string' || part === undefined) return undefined
  const [head = '', second] = tokens(literal)
  const follow = second ?? (typeof part === 'string' ? tokens(part)[0] : undefined)
  const object = typeof part !== 'string' && part.starts?.(undefined, []).join('') === '{'
  const mark = follow ?? (object ? '{' : undefined)
  if (mark === undefined) return undefined
  // Where liberties are taken, a fence or an escaped line break may stand before it.
  const marks = new Marks([mark, '`', '\\'], anyCase)
  return { from: head.length, marks, expected: follow ?? '"{"' }
}

/** The whitespace a picture's text begins with. */
export function leadingSpace(literal: string): string {
  return literal.slice(0, literal.length - literal.trimStart().length)
}

/** The whitespace it ends with. */
export function trailingSpace(literal: string): string {
  return literal.slice(literal.trimEnd().length)
}

export function tokens(literal: string): string[] {
  return literal.split(/\s+/).filter((token) => token !== '')
}
