import type { Problem } from '../reply.ts'
import type { Wire } from '../wire.ts'
import { compile } from './compile.ts'
import { type Block, callsInside, isPatient } from './grammar.ts'
import type { Input, Reader } from './input.ts'
import { type Marks, NO_MARKS, type Match } from './marks.ts'
import type { Message } from './message.ts'
import { afterSpace, MAX_SPACE, NO, wait, YES } from './readers.ts'
import { fail } from './failure.ts'

/** The end of this part cannot be found by looking ahead, only by reading. */
export const UNSURE = -1
/** More text is needed. */
export const WAIT = -2
/** The part cannot be read here. The reason was recorded. */
export const REFUSED = -3

/** If calls may be at least this long, the lookahead cannot reach the limit. */
const FAR = 1 << 12

/**
 * Predicts the result of reading a picture without creating a call builder. Many pictures begin
 * alike, and most fail right after that. All offsets are relative to the start of the block.
 */
export class Lookahead {
  readonly input: Input
  /** The marks around the current hole, as in `Reading`. */
  stops: Marks = NO_MARKS
  later: Marks = NO_MARKS
  attribute = false
  /** The marks that end the surrounding section, if any. */
  readonly around: Marks | undefined
  readonly #message: Message
  #block!: Block
  #lenient = false
  #empty = false
  /** The number of characters that would have been read for nothing. */
  #vain = 0

  constructor(message: Message, around?: Marks) {
    this.input = message.input
    this.around = around
    this.#message = message
  }

  /**
   * True if a block can, or possibly can, be read here. With `empty`, it counts only as a section
   * without calls.
   */
  mayRead(block: Block, lenient: boolean, empty: boolean = false): Reader<boolean> {
    if (block.weak || this.#message.maxCallLength < FAR) return YES
    this.#empty = empty
    let found = this.#picture(block, lenient, 0)
    if (found !== WAIT) return this.#refused(found) ? NO : YES
    return wait(
      () => (found = this.#picture(block, lenient, 0)) !== WAIT,
      () => !this.#refused(found),
    )
  }

  /**
   * True if the block cannot be read. Then the characters that would have been read are counted.
   */
  #refused(found: number): boolean {
    if (found === REFUSED) this.input.reread += this.#vain
    return found === REFUSED
  }

  /** Repairs are allowed as for a call that is not announced. */
  get mayRepair(): boolean {
    const { repairs, wanted } = this.#message
    if (!this.#lenient) wanted.repairs = repairs
    return repairs && this.#lenient
  }

  get tools(): Message['tools'] {
    return this.#message.tools
  }

  /** True if any name is accepted and does not announce the call. */
  get takesAnyName(): boolean {
    return !this.#block.general && isPatient(this.#message, this.#block)
  }

  /** Records that the text at this offset makes reading fail. */
  refuse(expected: string, at: number, problem: Problem = 'syntax'): number {
    fail(this.#message, this.#block, { problem, expected, at: this.input.place + at })
    return this.end(at)
  }

  /** Ends the lookahead, because nothing after this offset can be read. */
  end(at: number): number {
    // A call that was cut off must be read, so that it is reported.
    if (this.input.ended && at >= this.input.length) return UNSURE
    this.#vain += at
    return REFUSED
  }

  /** Looks ahead at the first call of a section. */
  calls(of: Wire | undefined, from: number): number {
    const at = this.visible(from)
    if (at < 0 || this.stops.empty) return Math.min(at, UNSURE)
    const ends = this.input.match(this.stops, at)
    if (ends !== 'none') return ends === 'all' ? UNSURE : this.more
    if (this.#empty) return this.end(at)
    const inner = new Lookahead(this.#message, this.stops)
    for (const block of callsInside(this.#block, of)) {
      const found = inner.#picture(block, this.#lenient, at)
      if (found !== REFUSED) return found
      this.#vain += inner.#vain - at
    }
    return this.end(at)
  }

  /** Tests whether another block, or a later mark of this one, begins at this offset. */
  isOver(at: number): Match {
    return this.input.match(this.later.join(this.#message.grammar.after), at)
  }

  /** The offset after the whitespace. */
  visible(from: number): number {
    const at = afterSpace(this.input, from)
    if (at === from + MAX_SPACE) return UNSURE
    return at < this.input.length ? at : this.more
  }

  /** The result if the text ends here. */
  get more(): number {
    return this.input.ended ? UNSURE : WAIT
  }

  #picture(block: Block, lenient: boolean, from: number): number {
    this.#block = block
    this.#lenient = lenient
    this.#vain = 0
    const { wire, anyCase } = block
    const items = compile(wire, anyCase)
    // A block that begins with a mark begins here because of that mark.
    const known = from === 0 ? (items[0]?.token?.length ?? 0) : 0
    let at = from + known
    for (let i = known > 0 ? 1 : 0; i < items.length; i++) {
      const item = items[i]!
      if (item.hole) {
        this.stops = item.open ? item.stops.join(this.around) : item.stops
        this.later = item.later
        this.attribute = item.attribute
        at = item.hole.lookahead?.(this, at) ?? UNSURE
        if (at < 0) return at
        continue
      }
      at = this.visible(at)
      if (at < 0) return at
      const match = this.input.compare(item.token, anyCase, at)
      if (match === 'part') return this.more
      if (match === 'none')
        return this.input.code(at) === BACKSLASH ? UNSURE : this.refuse(item.token, at)
      at += item.token.length
    }
    return UNSURE
  }
}

const BACKSLASH = 92
