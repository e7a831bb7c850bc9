import { bitOf, type Marks, compare, type Match } from './marks.ts'
import type { Span } from '../reply.ts'

/** Continues a paused reader with more text. Returns true when the reader should resume. */
export type Step = () => boolean

/**
 * A generator that reads text and yields when it needs more. Its position in the code is its state.
 * A reader may yield a step, so that each chunk costs only one plain call until the step is done,
 * however deeply the generators are nested.
 */
export type Reader<T> = Generator<Step | undefined, T, void>

/** The marks to search for. */
export type Sought = Pick<Marks, 'first' | 'match'>

/** A piece of the reply and its place. */
export type Taken = { readonly raw: string; readonly span: Span }

/**
 * Text that arrives in chunks. The buffer is short and contains unread text; places are counted
 * from the start of the reply. A reader can return to a held place: the text since then is kept.
 */
export class Input {
  buffer = ''
  /** The offset of the next character in the buffer, and the end of its readable part. */
  cursor = 0
  end = 0
  /** True if no more text can be read, either at the end of the reply or at a fence. */
  ended = false
  /** True if the last `scan` stopped at a mark. */
  hit = false
  /** The place where a line begins without a line break, because a block ended there. */
  lineStart: number = NaN
  /**
   * The number of characters read without finding a call. It does not depend on how the text is
   * split into chunks.
   */
  reread = 0
  /** The character before the buffer. */
  #last: string
  #base: number
  #finished = false
  #fence = Infinity
  /** The held places, and the character before each. */
  #held: number[] = []
  #before: string[] = []
  #kept = new Pieces()
  /** The place where `#kept` begins. */
  #keptFrom = 0

  constructor(start = 0, before = '\n') {
    this.#base = start
    this.#last = before
  }

  /** True if the reply has ended and no fence hides the rest. */
  get finished(): boolean {
    return this.#finished && this.end === this.buffer.length
  }

  /** The place of the next character in the reply. */
  get place(): number {
    return this.#base + this.cursor
  }

  /** The number of characters available now. */
  get length(): number {
    return this.end - this.cursor
  }

  /** True if all available text has been read. */
  get over(): boolean {
    return this.ended && this.length === 0
  }

  get atLineStart(): boolean {
    return this.#previous === '\n' || this.place === this.lineStart
  }

  get #previous(): string {
    return this.cursor > 0 ? this.buffer[this.cursor - 1]! : this.#last
  }

  append(chunk: string): void {
    if (this.#held.length > 0 && this.cursor > 0) {
      const from = this.#keptFrom + this.#kept.length - this.#base
      this.#kept.add(this.buffer.slice(from, this.cursor))
    }
    this.#last = this.#previous
    this.#base += this.cursor
    this.buffer =
      this.cursor === this.buffer.length ? chunk : this.buffer.slice(this.cursor) + chunk
    this.cursor = 0
    this.#measure()
  }

  finish(): void {
    this.#finished = true
    this.#measure()
  }

  /**
   * Hides text from `place` on, as if the input ended there. Returns the previous fence, for
   * `lift`.
   */
  fence(place: number): number {
    const before = this.#fence
    this.lift(Math.min(place, before))
    return before
  }

  /** Restores the previous fence. */
  lift(before: number): void {
    this.#fence = before
    this.#measure()
  }

  /** Holds this place so that `back` can return to it. */
  hold(): number {
    const { place } = this
    if (this.#held.length === 0) {
      if (this.#kept.length > 0) this.#kept = new Pieces()
      this.#keptFrom = place
    }
    this.#held.push(place)
    this.#before.push(this.#previous)
    return place
  }

  /** Releases the last held place. */
  release(): void {
    this.#held.pop()
    this.#before.pop()
  }

  /** The text from a held place to the current one. */
  since(place: number): string {
    if (place >= this.#base) return this.buffer.slice(place - this.#base, this.cursor)
    return this.#kept.from(place - this.#keptFrom) + this.buffer.slice(0, this.cursor)
  }

  /**
   * The text read since the last held place, which is then released. Text from the prompt is
   * omitted.
   */
  cut(): Taken {
    const place = this.#held.at(-1)!
    const raw = this.since(place).slice(Math.max(-place, 0))
    this.release()
    return { raw, span: [Math.max(place, 0), Math.max(this.place, 0)] }
  }

  /** Returns to the last held place and releases it. */
  back(): void {
    const place = this.#held.pop()!
    const before = this.#before.pop()!
    this.reread += this.place - place
    if (place < this.#base) {
      const text = this.#kept.cut(place - this.#keptFrom)
      this.#last = before
      this.buffer = text + this.buffer
      this.#base = place
    }
    this.cursor = place - this.#base
    this.#measure()
  }

  /** The code of the character at this offset, or NaN past the end. */
  code(offset = 0): number {
    const at = this.cursor + offset
    return at < this.end ? this.buffer.charCodeAt(at) : NaN
  }

  take(count: number): string {
    this.cursor += count
    return this.buffer.slice(this.cursor - count, this.cursor)
  }

  /** The next characters, which remain unread. */
  peek(count: number): string {
    return this.buffer.slice(this.cursor, Math.min(this.cursor + count, this.end))
  }

  /** The text between two offsets. */
  between(from: number, to: number): string {
    return this.buffer.slice(this.cursor + from, this.cursor + to)
  }

  compare(mark: string, anyCase?: boolean, at = 0): Match {
    return compare(this.buffer, this.cursor + at, this.end, mark, anyCase)
  }

  match(marks: Marks, at = 0): Match {
    return marks.match(this.buffer, this.cursor + at, this.end)
  }

  /**
   * The offset of the first mark (then `hit` is true), or of text that may become one, or of the
   * end. Examines at most `max` characters, starting at the offset `from`.
   */
  scan(marks: Sought, from: number = 0, max: number = Infinity): number {
    const { buffer, cursor, end } = this
    const { first } = marks
    const last = Math.min(end, cursor + from + max)
    for (let i = cursor + from; i < last; i++) {
      const bits = first[buffer.charCodeAt(i) & 255]!
      // Testing two characters rules out most places.
      if (bits === 0 || (i + 1 < end && !(bits & bitOf(buffer.charCodeAt(i + 1))))) continue
      const match = marks.match(buffer, i, end)
      if (match === 'none' || (match === 'part' && this.ended)) continue
      this.hit = match === 'all'
      return i - cursor
    }
    this.hit = false
    return last - cursor
  }

  #measure(): void {
    this.end = Math.min(this.buffer.length, this.#fence - this.#base)
    this.ended = this.#finished || this.#base + this.buffer.length >= this.#fence
  }
}

/**
 * Text assembled from many small pieces. They are joined from time to time, so that neither ropes
 * nor pieces accumulate.
 */
export class Pieces {
  #packed: string[] = []
  #loose: string[] = []
  length = 0

  constructor(text = '') {
    if (text !== '') this.add(text)
  }

  add(text: string): void {
    this.length += text.length
    if (this.#loose.push(text) < PACK) return
    this.#packed.push(this.#loose.join(''))
    this.#loose = []
  }

  /**
   * Removes and returns the text from `at` on. The cost depends on the length removed, not on the
   * total length.
   */
  cut(at: number): string {
    const taken: string[] = []
    while (this.length > at) {
      const last = this.#loose.pop() ?? this.#packed.pop()!
      const from = Math.max(at - (this.length - last.length), 0)
      this.length -= last.length
      taken.push(last.slice(from))
      if (from > 0) this.add(last.slice(0, from))
    }
    return taken.reverse().join('')
  }

  /** The text from `at` on, as a separate string. A slice would keep the whole text in memory. */
  from(at: number): string {
    const taken: string[] = []
    let start = this.length
    for (const list of [this.#loose, this.#packed])
      for (let i = list.length - 1; i >= 0 && start > at; i--) {
        start -= list[i]!.length
        taken.push(list[i]!.slice(Math.max(at - start, 0)))
      }
    return taken.reverse().join('')
  }

  toString(): string {
    return this.#loose.length === 1 && this.#packed.length === 0 ? this.#loose[0]! : this.from(0)
  }
}

const PACK = 512
