import { bitOf, type Marks, compare, type Match } from './marks.ts'
import type { Span } from '../reply.ts'

/** A step of a waiting reader on more text. True: resume the reader. */
export type Step = () => boolean

/**
 * A reader is a generator that yields when it needs more text. Its position in its code is its state.
 * It may yield a step: then a chunk costs one plain call, however deeply the generators are nested, until the step is done.
 */
export type Reader<T> = Generator<Step | undefined, T, void>

/** The marks to look for. */
export type Sought = Pick<Marks, 'first' | 'match'>

/** A piece of the reply, and where it was. */
export type Taken = { readonly raw: string; readonly span: Span }

/**
 * Text that arrives in chunks. The buffer is short and contains what is not read yet; places are counted from the start of the
 * reply. A reader can return to a place that is held: the text since then is kept.
 */
export class Input {
  buffer = ''
  /** The next character in the buffer, and the end of its readable part. */
  cursor = 0
  end = 0
  /** No more text will come, or none that may be read before the fence is lifted. */
  ended = false
  /** Whether the last `scan` stopped at a mark. */
  hit = false
  /** A line begins here without a line break: a block ended here. */
  lineStart: number = NaN
  /** How many characters have been read without finding a call. Independent of how the text is split into chunks. */
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
  /** Where `#kept` begins. */
  #keptFrom = 0

  constructor(start = 0, before = '\n') {
    this.#base = start
    this.#last = before
  }

  /** No more text will come, and all of it may be read. */
  get finished(): boolean {
    return this.#finished && this.end === this.buffer.length
  }

  /** The place of the next character. */
  get place(): number {
    return this.#base + this.cursor
  }

  /** How much can be read without waiting. */
  get length(): number {
    return this.end - this.cursor
  }

  /** Everything that may be read has been read. */
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

  /** Reads no further than `place`, as if the input ended there. Returns what lifts the fence. */
  fence(place: number): number {
    const before = this.#fence
    this.lift(Math.min(place, before))
    return before
  }

  /** Reads as far as before a fence. */
  lift(before: number): void {
    this.#fence = before
    this.#measure()
  }

  /** Holds this place, so that `back` returns to it. */
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

  /** Forgets the last held place. */
  release(): void {
    this.#held.pop()
    this.#before.pop()
  }

  /** The text from a held place up to here. */
  since(place: number): string {
    if (place >= this.#base) return this.buffer.slice(place - this.#base, this.cursor)
    return this.#kept.from(place - this.#keptFrom) + this.buffer.slice(0, this.cursor)
  }

  /** The text read since the last held place, which is then forgotten. The part that was in the prompt is left out. */
  cut(): Taken {
    const place = this.#held.at(-1)!
    const raw = this.since(place).slice(Math.max(-place, 0))
    this.release()
    return { raw, span: [Math.max(place, 0), Math.max(this.place, 0)] }
  }

  /** Returns to the last held place, and forgets it. */
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

  /** The code of the character at this offset; NaN if there is none. */
  code(offset = 0): number {
    const at = this.cursor + offset
    return at < this.end ? this.buffer.charCodeAt(at) : NaN
  }

  take(count: number): string {
    this.cursor += count
    return this.buffer.slice(this.cursor - count, this.cursor)
  }

  /** The next characters, without reading them. */
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
   * Offset of the first mark (then `hit` is true), or of what may still become one, or of the end. Examines at most `max`
   * characters, starting at the offset `from`.
   */
  scan(marks: Sought, from: number = 0, max: number = Infinity): number {
    const { buffer, cursor, end } = this
    const { first } = marks
    const last = Math.min(end, cursor + from + max)
    for (let i = cursor + from; i < last; i++) {
      const bits = first[buffer.charCodeAt(i) & 255]!
      // Two characters rule out most places.
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

/** Text assembled from many small pieces, which are joined now and then, so that neither ropes nor pieces pile up. */
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

  /** Removes everything from `at` on, and returns it. The cost depends on what is removed, not on the length. */
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

  /** Everything from `at` on, in a string of its own: one that shares memory with the rest would keep all of it. */
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
