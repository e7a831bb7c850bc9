import type { Reading } from '../hole.ts'
import type { Reader } from '../read/input.ts'
import { readLabel } from '../read/label.ts'
import { Marks, NO_MARKS } from '../read/marks.ts'
import { anyAhead, eatAny, lookAhead, skipText, some, space, STRAY_TEXT } from '../read/readers.ts'

/**
 * The number of characters to reread without finding a call. Beyond it, a call inside a value
 * counts as a separate call, which keeps reading linear.
 */
const MAX_REREAD = 1 << 19

/**
 * Finds the end of a value between tags. Its own closing mark ends it, unless the following text
 * shows that the mark was content. Without that mark, the next argument or the end of the call ends
 * it. A call or an argument quoted in a value is content if the value continues to its own end
 * after it. If it does not, the reader returns to the first doubtful place.
 */
export class ValueEnd {
  readonly marks: Marks
  readonly #reading: Reading
  readonly #own: Marks
  readonly #siblings: Marks
  readonly #around: Marks
  readonly #calls: Marks
  readonly #bounded: boolean
  readonly #from: number
  /** Up to this place, the marks that end the surrounding picture are content. */
  #content = 0
  /** True if a call began inside the value. */
  #quoting = false
  /** The number of open arguments inside the value. */
  #depth = 0
  /** True if text was read as content although it may not be content. Its place is held. */
  #doubt = false

  constructor(reading: Reading, outer: Marks | undefined, bounded = false) {
    const { builder, stops, siblings = NO_MARKS, after } = reading
    const lenient = builder.mayRepair && outer !== undefined
    this.#reading = reading
    this.#bounded = bounded
    this.#from = reading.input.place
    this.#own = stops.withPrefix(after)
    this.#siblings = lenient ? siblings.withPrefix(after) : NO_MARKS
    this.#around = lenient ? outer.withPrefix(after) : NO_MARKS
    this.#calls = bounded || this.#siblings.empty ? NO_MARKS : builder.openings
    this.marks = this.#own.join(this.#siblings).join(this.#around).join(this.#calls)
  }

  /**
   * At one of the value's marks: the number of characters that are content, 0 if the value ends
   * here, or -1 if it has no end.
   */
  *here(): Reader<number> {
    const { input, builder } = this.#reading
    let ends: boolean
    if (input.match(this.#own) === 'all') {
      if (this.#isPlain() || (yield* this.#closes())) return this.#end()
      if (yield* lookAhead(input, this.#strays())) return 0
      // Text was already skipped in this call, so reading this as content would be a second guess.
      if (builder.repairs.includes(STRAY_TEXT)) return -1
      if (!this.#quoting && this.#depth === 0) this.#doubtful()
      if (this.#depth > 0) this.#depth--
      return this.#quoted('quoted-closer', this.#own)
    }
    if (input.match(this.#siblings) === 'all') {
      ends = !this.#quoting && (yield* this.#isNext())
      if (!ends) {
        this.#depth++
        this.#doubtful()
        return this.#quoted('quoted-argument', this.#siblings)
      }
    } else if (input.match(this.#around) === 'all') {
      ends = this.#bounded || (!this.#quoting && (yield* this.#endsAround()))
      if (!ends) return 1
    } else {
      if (input.reread > MAX_REREAD) return -1
      this.#doubtful()
      this.#quoting = true
      return 1
    }
    if (this.#doubt || isDamaged(input.since(this.#from))) return -1
    builder.unclosed = true
    builder.repair('missing-closer', this.#from)
    return 0
  }

  /** Ends a value for which no end was found. */
  never(): false {
    const { input, builder, stopped } = this.#reading
    if (!this.#doubt) return builder.fail('cut', 'the rest of the value')
    if (!input.finished || input.length > 0 || stopped()) input.back()
    else input.release()
    return builder.fail('cut', 'the rest of the value')
  }

  /**
   * True if nothing but its own closing mark can end the value, or it has no closing mark and only
   * the following text ends it.
   */
  #isPlain(): boolean {
    const { input } = this.#reading
    if (this.#siblings.empty || this.#bounded) return true
    return input.match(this.#siblings.join(this.#around)) === 'all'
  }

  #end(): 0 {
    if (this.#doubt) this.#reading.input.release()
    return 0
  }

  #doubtful(): void {
    if (!this.#doubt) this.#reading.input.hold()
    this.#doubt = true
  }

  /** The length of a mark that is content. */
  #quoted(repair: string, marks: Marks): number {
    const { input, builder } = this.#reading
    const length = this.#length(marks)
    builder.repair(repair, input.place, undefined, input.place + length)
    return length
  }

  #length(marks: Marks): number {
    return marks.lengthAt(this.#reading.input)
  }

  /** True if the value's own mark closes it: the text after it may follow a value. */
  *#closes(): Reader<boolean> {
    const { input, stops, later } = this.#reading
    if (this.#quoting && this.#depth > 0) return false
    input.hold()
    input.cursor += this.#length(this.#own)
    yield* space(input)
    let closes = !(yield* some(input)) || NO_TEXT.has(input.code())
    if (yield* anyAhead(input, this.#siblings))
      closes = this.#depth === 0 || (yield* this.#isNext())
    else if (this.#depth > 0 && (yield* anyAhead(input, stops))) closes = false
    else if ((yield* anyAhead(input, this.#around)) || (yield* anyAhead(input, later)))
      closes = true
    input.back()
    return closes
  }

  /**
   * True if the value's own mark closes it although text follows. The mark must be on a separate
   * line, and the text ends at the next argument or the call's end.
   */
  *#strays(): Reader<boolean> {
    const { input, builder, later } = this.#reading
    if (this.#doubt || builder.repairs.includes(STRAY_TEXT)) return false
    input.cursor += this.#length(this.#own)
    const from = input.place
    yield* space(input)
    if (!input.since(from).includes('\n')) return false
    if (!(yield* skipText(input, this.marks.join(later))) || input.match(this.#own) === 'all')
      return false
    if (input.match(this.#siblings) === 'all') return yield* this.#isNext()
    return input.match(this.#around) === 'all' && (yield* this.#endsAround())
  }

  /**
   * Tests whether the argument that begins here can be the next one: the tool declares it, and the
   * call doesn't have it yet.
   */
  #isNext(): Reader<boolean> {
    const { input, builder } = this.#reading
    const size = this.#length(this.#siblings)
    return lookAhead(
      input,
      (function* () {
        input.cursor += size
        // The shortest mark may end before a quote.
        yield* eatAny(input, QUOTES)
        const key = yield* readLabel(input, KEY_ENDS)
        return key === undefined || builder.expects(key)
      })(),
    )
  }

  /**
   * Tests whether a mark of the surrounding picture ends the value: true only if nothing follows
   * but more such marks, another block, or the end of a reply that was not cut off. If the value's
   * own end follows, the value continues.
   */
  *#endsAround(): Reader<boolean> {
    const { input, stops, later, stopped } = this.#reading
    if (input.place < this.#content) return false
    input.hold()
    for (;;) {
      yield* space(input)
      if (!(yield* anyAhead(input, this.#around))) break
      input.cursor += this.#length(this.#around)
    }
    this.#content = input.place
    const over = input.finished && input.over && stopped()
    const ends = over || (!(yield* anyAhead(input, stops)) && (yield* anyAhead(input, later)))
    input.back()
    return ends
  }
}

/**
 * True if text ends with a closing tag that lacks its `<` or `>`. Then the end of the value is
 * unclear.
 */
export function isDamaged(text: string): boolean {
  return DAMAGED.test(text.trimEnd().slice(-LONGEST_TAG))
}

const DAMAGED = /<\/[^\s<>]+$|[^<]\/[^\s<>/]+>$/
const LONGEST_TAG = 64
const QUOTES = new Marks(['"', "'"])

/** The characters that end an argument's name in any kind of tag. */
const KEY_ENDS = new Marks(['>', '<', '"', "'", ' ', '\n'])

/** < , { [ \ : after a closing mark, these are more likely markup than text of the value. */
const NO_TEXT = new Set([60, 44, 123, 91, 92])
