/** Removes a token that ends a turn from the end of a streamed text. */
export class EndRemover {
  readonly #ends: readonly string[]
  readonly #certain: readonly string[]
  readonly #maxHeld: number
  #held = ''

  /** The certain ends are always removed, the possible ones only if the server stopped there. */
  constructor(certain: readonly string[], possible: readonly string[] = []) {
    this.#certain = certain.filter((end) => end !== '')
    this.#ends = [...this.#certain, ...possible.filter((end) => end !== '')]
    this.#maxHeld = Math.max(0, ...this.#ends.map((end) => end.length)) + MAX_SPACE
  }

  /** Adds text, and returns the text that is certainly not part of an end. */
  add(text: string): string {
    const all = this.#held + text
    let from = Math.max(0, all.length - this.#maxHeld)
    while (from < all.length && !this.#mayBeEnd(all.slice(from))) from += 1
    this.#held = all.slice(from)
    return all.slice(0, from)
  }

  /** The rest of the text, without a token at its end. `stoppedAt` is the one reported by the server. */
  finish(stoppedAt?: string): string {
    const rest = this.#held
    this.#held = ''
    const end = rest.trimEnd()
    return this.#certain.includes(end) || (end !== '' && end === stoppedAt) ? '' : rest
  }

  /** Whether a text is a token, with whitespace after it, or the beginning of one. */
  #mayBeEnd(text: string): boolean {
    return this.#ends.some(
      (end) =>
        end.startsWith(text) || (text.startsWith(end) && text.slice(end.length).trim() === ''),
    )
  }
}

const MAX_SPACE = 4
