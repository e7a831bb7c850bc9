/** Keeps the beginning and the end of a text of any length. Surrogate pairs are not split. */
export class HeadTail {
  readonly #headLimit: number
  readonly #tailLimit: number
  #head = ''
  #tail: string[] = []
  #tailLength = 0
  #length = 0

  /** Keeps up to `limit` UTF-16 code units, a fifth of them from the beginning. */
  constructor(limit: number) {
    this.#headLimit = Math.floor(limit / 5)
    this.#tailLimit = limit - this.#headLimit
  }

  add(text: string): void {
    this.#length += text.length
    const free = this.#headLimit - this.#head.length
    // The head is full once text has been added to the tail.
    const toHead = this.#tailLength === 0 ? backTo(text, Math.min(free, text.length)) : 0
    this.#head += text.slice(0, toHead)
    const rest = text.slice(toHead)
    if (rest === '') return
    this.#tail.push(rest)
    this.#tailLength += rest.length
    if (this.#tailLength > 2 * this.#tailLimit) this.#shorten()
  }

  get length(): number {
    return this.#length
  }

  get isCut(): boolean {
    return this.#length > this.#headLimit + this.#tailLimit
  }

  /**
   * The whole text; or its beginning, the text from `gap` in place of the omitted part, and its
   * end.
   */
  text(gap: (leftOut: number) => string): string {
    if (!this.isCut) return this.#head + this.#tail.join('')
    this.#shorten()
    const tail = this.#tail.join('')
    return this.#head + gap(this.#length - this.#head.length - tail.length) + tail
  }

  #shorten(): void {
    const tail = this.#tail.join('')
    const kept = tail.slice(onTo(tail, Math.max(0, tail.length - this.#tailLimit)))
    this.#tail = [kept]
    this.#tailLength = kept.length
  }
}

/** Moves an index back out of the middle of a surrogate pair. */
function backTo(text: string, place: number): number {
  return isInPair(text, place) ? place - 1 : place
}

function onTo(text: string, place: number): number {
  return isInPair(text, place) ? place + 1 : place
}

function isInPair(text: string, place: number): boolean {
  if (place <= 0 || place >= text.length) return false
  return isBetween(text, place - 1, 0xd800, 0xdbff) && isBetween(text, place, 0xdc00, 0xdfff)
}

function isBetween(text: string, place: number, from: number, to: number): boolean {
  const unit = text.charCodeAt(place)
  return unit >= from && unit <= to
}
