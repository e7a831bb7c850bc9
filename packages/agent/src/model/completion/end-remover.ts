/** Removes an end-of-turn token from the end of streamed text. */
export class EndRemover {
  readonly #ends: readonly string[]
  readonly #certain: readonly string[]
  readonly #maxHeld: number
  #held = ''

  /** Certain ends are always removed, possible ones only if the server stopped there. */
  constructor(certain: readonly string[], possible: readonly string[] = []) {
    this.#certain = certain.filter((end) => end !== '')
    this.#ends = [...this.#certain, ...possible.filter((end) => end !== '')]
    this.#maxHeld = Math.max(0, ...this.#ends.map((end) => end.length)) + MAX_SPACE
  }

  /** Adds text and returns the part that cannot belong to an end token. */
  add(text: string): string {
    const all = this.#held + text
    let from = Math.max(0, all.length - this.#maxHeld)
    while (from < all.length && !this.#mayBeEnd(all.slice(from))) from += 1
    this.#held = all.slice(from)
    return all.slice(0, from)
  }

  /**
   * Returns the rest of the text without its end token. `stoppedAt` is the stop string reported by
   * the server.
   */
  finish(stoppedAt?: string): string {
    const rest = this.#held
    this.#held = ''
    const end = rest.trimEnd()
    return this.#certain.includes(end) || (end !== '' && end === stoppedAt) ? '' : rest
  }

  /**
   * True if a string is an end token, possibly followed by white space, or the beginning of one.
   */
  #mayBeEnd(text: string): boolean {
    return this.#ends.some(
      (end) =>
        end.startsWith(text) || (text.startsWith(end) && text.slice(end.length).trim() === ''),
    )
  }
}

const MAX_SPACE = 4
