import type { Problem } from '../reply.ts'
import { compile } from './compile.ts'
import { isPatient } from './draft.ts'
import type { Block } from './grammar.ts'
import type { Input, Reader } from './input.ts'
import { type Marks, NO_MARKS } from './marks.ts'
import type { Message } from './message.ts'
import { isSpace, NO, wait, YES } from './readers.ts'
import { compare, type Match } from './tree.ts'
import { fail } from './trouble.ts'

/** What a glance at a part of a picture shows, if not where that part ends: only reading it can tell. */
export const UNSURE = -1
/** It takes more text to tell. */
export const WAIT = -2
/** It cannot be read here, and why was recorded. */
export const REFUSED = -3

/**
 * Whether a block may be read here. Many pictures begin alike, and most of them fail right after that: this finds out what reading
 * them would, without a draft. If it is not sure, the block has to be read.
 */
export function mayRead(message: Message, block: Block, lenient: boolean): Reader<boolean> {
  if (block.weak || message.maxCallLength < FAR) return YES
  const look = new Look(message, block, lenient)
  const found = look.picture()
  if (found !== WAIT) return found === REFUSED ? NO : YES
  let last = found
  return wait(
    () => (last = look.picture()) !== WAIT,
    () => last !== REFUSED,
  )
}

/** A call that may be this long is longer than what is looked at. */
const FAR = 1 << 12
/** How much whitespace is skipped. */
const MAX_SPACE = 64

/** Looks at the beginning of a picture. All offsets are from where the block begins. */
export class Look {
  readonly input: Input
  /** Of the hole that is looked at: as in `Reading`. */
  stops: Marks = NO_MARKS
  later: Marks = NO_MARKS
  attribute = false
  readonly #message: Message
  readonly #block: Block
  readonly #lenient: boolean

  constructor(message: Message, block: Block, lenient: boolean) {
    this.input = message.input
    this.#message = message
    this.#block = block
    this.#lenient = lenient
  }

  /** As for a draft that is not announced. */
  get mayRepair(): boolean {
    const { repairs, wanted } = this.#message
    if (!this.#lenient) wanted.repairs = repairs
    return repairs && this.#lenient
  }

  get tools(): Message['tools'] {
    return this.#message.tools
  }

  /** Whether any name will do, and does not announce the call. */
  get takesAnyName(): boolean {
    return !this.#block.general && isPatient(this.#message, this.#block)
  }

  /** It cannot be read, because of what is at this offset. */
  refuse(expected: string, at: number, problem: Problem = 'syntax'): number {
    fail(this.#message, this.#block, { problem, expected, at: this.input.place + at })
    return this.end(at)
  }

  /** It cannot be read: what would have been read up to this offset counts. */
  end(at: number): number {
    const { input } = this
    // A call that was cut is reported.
    if (input.ended && at >= input.length) return UNSURE
    input.reread += at
    return REFUSED
  }

  /** Whether another block begins at this offset, or a later mark of this one is there. */
  isOver(at: number): Match {
    return this.match(this.later.join(this.#message.grammar.after), at)
  }

  /** Where the whitespace here ends. */
  visible(from: number): number {
    const { input } = this
    let at = from
    while (isSpace(input.code(at))) if (++at === from + MAX_SPACE) return UNSURE
    return at < input.length ? at : this.more
  }

  /** There is no more text. */
  get more(): number {
    return this.input.ended ? UNSURE : WAIT
  }

  compare(mark: string, at: number, anyCase?: boolean): Match {
    const { buffer, cursor, end } = this.input
    return compare(buffer, cursor + at, end, mark, anyCase)
  }

  match(marks: Marks, at: number): Match {
    const { buffer, cursor, end } = this.input
    return marks.match(buffer, cursor + at, end)
  }

  picture(): number {
    const { wire, anyCase } = this.#block
    let at = 0
    for (const item of compile(wire, anyCase)) {
      if (item.hole) {
        this.stops = item.stops
        this.later = item.later
        this.attribute = item.attribute
        at = item.hole.glance?.(this, at) ?? UNSURE
        if (at < 0) return at
        continue
      }
      at = this.visible(at)
      if (at < 0) return at
      const match = this.compare(item.token, at, anyCase)
      if (match === 'part') return this.more
      if (match === 'none')
        return this.input.code(at) === BACKSLASH ? UNSURE : this.refuse(item.token, at)
      at += item.token.length
    }
    return UNSURE
  }
}

const BACKSLASH = 92
